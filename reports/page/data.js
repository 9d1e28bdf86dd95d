// The data of the page: blocks are unpacked when they are first asked for. Text from a run is only ever put into the
// page as text.

const head = JSON.parse(document.getElementById('head').textContent);

/** The bytes of a text in base 64. */
function fromBase64(text) {
  if (Uint8Array.fromBase64) return Uint8Array.fromBase64(text);
  const binary = atob(text);
  const bytes = new Uint8Array(binary.length);
  for (let i = 0; i < binary.length; i++) bytes[i] = binary.charCodeAt(i);
  return bytes;
}

async function bytesOf(name) {
  const element = document.getElementById('block-' + name);
  const packed = fromBase64(element.textContent);
  const stream = new Blob([packed]).stream().pipeThrough(new DecompressionStream('deflate-raw'));
  const bytes = new Uint8Array(await new Response(stream).arrayBuffer());
  // What is unpacked is not needed a second time.
  element.textContent = '';
  return bytes;
}

const unpacked = new Map();

/** A block: columns by name, or whatever JSON it is. */
function block(name) {
  if (!unpacked.has(name)) {
    const contents = head.blocks[name];
    unpacked.set(name, bytesOf(name).then((bytes) =>
      contents ? columnsOf(bytes, contents) : JSON.parse(new TextDecoder().decode(bytes))));
  }
  return unpacked.get(name);
}

const WIDTHS = { u8: 1, u32: 4, rising: 4, f32: 4, f64: 8 };

/** Columns whose bytes are dealt out by their significance, as block.rs writes them. */
function columnsOf(bytes, contents) {
  const columns = {};
  let at = 0;
  for (const [name, kind, count] of contents) {
    const width = WIDTHS[kind];
    const cells = new Uint8Array(count * width);
    for (let place = 0; place < width; place++) {
      const from = at + place * count;
      for (let i = 0, to = place; i < count; i++, to += width) cells[to] = bytes[from + i];
    }
    at += width * count;
    if (kind === 'u8') {
      columns[name] = cells;
    } else if (kind === 'f32') {
      columns[name] = new Float32Array(cells.buffer);
    } else if (kind === 'f64') {
      columns[name] = new Float64Array(cells.buffer);
    } else {
      const whole = new Uint32Array(cells.buffer);
      if (kind === 'rising') for (let i = 1; i < count; i++) whole[i] += whole[i - 1];
      columns[name] = whole;
    }
  }
  return columns;
}

const STATUS_NAMES = head.statuses.map(([name]) => name);
const IS_SOLVED = Uint8Array.from(head.statuses, ([, kind]) => kind === 'solved' ? 1 : 0);
const IS_WRONG = Uint8Array.from(head.statuses, ([, kind]) => kind === 'wrong' ? 1 : 0);
const UNKNOWN = STATUS_NAMES.indexOf('unknown');

/** Repeats of one strategy on one task are one attempt: solved when each of them is, with one verdict. */
function attemptsOf(records) {
  const { task, strategy, status } = records;
  const starts = [];
  for (let i = 0; i < task.length; i++) {
    if (i === 0 || task[i] !== task[i - 1] || strategy[i] !== strategy[i - 1]) starts.push(i);
  }
  const count = starts.length;
  const attempts = {
    count,
    start: new Uint32Array(count + 1),
    task: new Uint32Array(count),
    strategy: new Uint32Array(count),
    status: new Uint8Array(count),
    records,
    measured: new Map(),
  };
  for (let a = 0; a < count; a++) {
    const start = starts[a];
    const end = a + 1 < count ? starts[a + 1] : task.length;
    attempts.start[a] = start;
    attempts.task[a] = task[start];
    attempts.strategy[a] = strategy[start];
    let all = status[start];
    for (let i = start; i < end; i++) {
      if (!IS_SOLVED[status[i]]) {
        all = status[i];
        break;
      }
      if (status[i] !== all) all = UNKNOWN;
    }
    attempts.status[a] = all;
  }
  attempts.start[count] = task.length;
  return attempts;
}

const MEASURES = {
  solve: 'solve time',
  cpu: 'CPU time',
  wall: 'time by the clock',
  memory: 'peak memory',
  prepare: 'time to prepare',
};

/** A measure of each attempt, the median of its repeats; not a number where it is not solved. */
function measureOf(attempts, name) {
  if (!attempts.measured.has(name)) {
    const cells = attempts.records[name];
    const values = new Float32Array(attempts.count).fill(NaN);
    for (let a = 0; a < attempts.count; a++) {
      if (!IS_SOLVED[attempts.status[a]]) continue;
      const start = attempts.start[a];
      const end = attempts.start[a + 1];
      values[a] = end === start + 1 ? cells[start] : median(cells.slice(start, end).sort());
    }
    attempts.measured.set(name, { values, order: orderOf(values) });
  }
  return attempts.measured.get(name);
}

/** The middle of sorted numbers. */
function median(sorted) {
  const half = sorted.length >> 1;
  if (sorted.length === 0) return NaN;
  return sorted.length % 2 ? sorted[half] : (sorted[half - 1] + sorted[half]) / 2;
}

/** The places of numbers from the smallest to the largest, without those that are no numbers. Stable. */
function orderOf(values) {
  const places = new Uint32Array(values.length);
  let count = 0;
  for (let i = 0; i < values.length; i++) if (values[i] === values[i]) places[count++] = i;
  return sortedBy(values, places.subarray(0, count));
}

/** Sorts places by the numbers there: by digits of their bits, which are in the order of the numbers. */
function sortedBy(values, places) {
  const floats = new Float32Array(1);
  const bits = new Uint32Array(floats.buffer);
  const keys = new Uint32Array(places.length);
  for (let i = 0; i < places.length; i++) {
    floats[0] = values[places[i]];
    keys[i] = bits[0] >>> 31 ? ~bits[0] : bits[0] | 0x80000000;
  }
  let from = places.slice();
  let to = new Uint32Array(places.length);
  let fromKeys = keys;
  let toKeys = new Uint32Array(places.length);
  for (const shift of [0, 11, 22]) {
    const counts = new Uint32Array(2049);
    for (let i = 0; i < fromKeys.length; i++) counts[((fromKeys[i] >>> shift) & 2047) + 1]++;
    for (let digit = 0; digit < 2048; digit++) counts[digit + 1] += counts[digit];
    for (let i = 0; i < fromKeys.length; i++) {
      const place = counts[(fromKeys[i] >>> shift) & 2047]++;
      to[place] = from[i];
      toKeys[place] = fromKeys[i];
    }
    [from, to] = [to, from];
    [fromKeys, toKeys] = [toKeys, fromKeys];
  }
  return from;
}
