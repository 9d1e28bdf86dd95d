// Plots, drawn on canvases. Each has a table of what is drawn beside it, for those who do not see it.

const DARK = matchMedia('(prefers-color-scheme: dark)');
const COLOURS = {
  light: ['#0060a8', '#c4500a', '#007a5a', '#a8457d', '#7a6000', '#2b8fc7', '#6b3fb0', '#8f5a1e', '#c2185b', '#4b5563'],
  dark: ['#6cb6ff', '#ff9a57', '#4cd3a5', '#f08fc4', '#e3c64b', '#9bdcff', '#bf9bff', '#d9a066', '#ff7aa8', '#b6c0cc'],
};
const DASHES = [[], [7, 4], [2, 3], [9, 3, 2, 3]];
let printing = false;

function isDark() {
  const forced = document.documentElement.dataset.theme;
  return !printing && (forced ? forced === 'dark' : DARK.matches);
}

function colour(place) {
  return COLOURS[isDark() ? 'dark' : 'light'][place % 10];
}

function dash(place) {
  return DASHES[Math.floor(place / 10) % 4];
}

function inks() {
  return isDark()
    ? { text: '#c9d1d9', faint: '#30363d', line: '#6e7681', paper: '#14171a' }
    : { text: '#333a41', faint: '#e3e6ea', line: '#8a929b', paper: '#ffffff' };
}

/** A canvas as wide as its figure, cleared; `null` where it is not shown. */
function prepared(canvas, height) {
  const width = canvas.clientWidth;
  if (!width) return null;
  const scale = window.devicePixelRatio || 1;
  canvas.width = Math.round(width * scale);
  canvas.height = Math.round(height * scale);
  canvas.style.height = height + 'px';
  const pen = canvas.getContext('2d');
  pen.scale(scale, scale);
  pen.font = '12px system-ui, sans-serif';
  pen.fillStyle = inks().paper;
  pen.fillRect(0, 0, width, height);
  return { pen, width, height };
}

/** From values to places, logarithmic. */
function logScale(low, high, from, to) {
  const start = Math.floor(Math.log10(low));
  const end = Math.max(Math.ceil(Math.log10(high)), start + 1);
  const place = (value) => from + (Math.log10(value) - start) / (end - start) * (to - from);
  const every = Math.ceil((end - start) / 9);
  const ticks = [];
  for (let power = start; power <= end; power += every) ticks.push(10 ** power);
  return { place, ticks, low: 10 ** start, high: 10 ** end };
}

/** From counts to places. */
function countScale(high, from, to) {
  const rough = Math.max(high, 1) / 5;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = Math.max(1, [1, 2, 5, 10].map((n) => n * power).find((n) => n >= rough));
  const end = Math.ceil(Math.max(high, 1) / step) * step;
  const ticks = [];
  for (let tick = 0; tick <= end; tick += step) ticks.push(tick);
  return { place: (value) => from + value / end * (to - from), ticks, high: end };
}

function axes(pen, frame, x, y, words) {
  const ink = inks();
  pen.strokeStyle = ink.faint;
  pen.fillStyle = ink.text;
  pen.lineWidth = 1;
  pen.textAlign = 'center';
  pen.textBaseline = 'top';
  let until = -Infinity;
  for (const tick of x.ticks) {
    const at = Math.round(x.place(tick)) + 0.5;
    pen.beginPath();
    pen.moveTo(at, frame.top);
    pen.lineTo(at, frame.bottom);
    pen.stroke();
    const text = words.x(tick);
    const half = pen.measureText(text).width / 2;
    if (at - half > until + 6) {
      pen.fillText(text, at, frame.bottom + 6);
      until = at + half;
    }
  }
  pen.textAlign = 'right';
  pen.textBaseline = 'middle';
  for (const tick of y.ticks) {
    const at = Math.round(y.place(tick)) + 0.5;
    pen.beginPath();
    pen.moveTo(frame.left, at);
    pen.lineTo(frame.right, at);
    pen.stroke();
    pen.fillText(words.y(tick), frame.left - 6, at);
  }
  pen.strokeStyle = ink.line;
  pen.strokeRect(frame.left + 0.5, frame.top + 0.5, frame.right - frame.left, frame.bottom - frame.top);
  pen.textAlign = 'center';
  pen.textBaseline = 'bottom';
  pen.fillText(words.below, (frame.left + frame.right) / 2, frame.bottom + 40);
  pen.save();
  pen.translate(13, (frame.top + frame.bottom) / 2);
  pen.rotate(-Math.PI / 2);
  pen.textBaseline = 'middle';
  pen.fillText(words.beside, 0, 0);
  pen.restore();
}

/** A tick of a measure, short. */
function tickOf(measure) {
  return (value) => measure === 'memory' ? size(value) : duration(value).replace('.00', '').replace(/(\d)\.0 /, '$1 ');
}

function frameOf({ width, height }, left = 72) {
  return { left, top: 10, right: width - 28, bottom: height - 46 };
}

/** The least and the largest of the rows' values, or `null`. */
function range(rows) {
  let low = Infinity;
  let high = -Infinity;
  for (const { times } of rows) {
    if (!times.length) continue;
    // A time of nothing cannot be drawn on this scale.
    low = Math.min(low, Math.max(times[0], 1e-9));
    high = Math.max(high, times[times.length - 1]);
  }
  return low < Infinity ? { low, high: Math.max(high, low) } : null;
}

function nothing(canvas, height) {
  const area = prepared(canvas, height);
  if (!area) return;
  area.pen.fillStyle = inks().text;
  area.pen.textAlign = 'center';
  area.pen.fillText('nothing solved among what is chosen', area.width / 2, height / 2);
}

/** A point for each place of a line, but no two on one pixel: a line of 100,000 values is as quick as one of 500. */
function thinned(count, pixels) {
  const step = Math.max(1, Math.floor(count / (2 * pixels)));
  const places = [];
  for (let i = 0; i < count; i += step) places.push(i);
  if (count && places[places.length - 1] !== count - 1) places.push(count - 1);
  return places;
}

function lines(canvas, rows, measure, byTime) {
  const height = 340;
  const found = range(rows);
  if (!found) return nothing(canvas, height);
  const area = prepared(canvas, height);
  if (!area) return;
  const frame = frameOf(area);
  const most = Math.max(...rows.map((row) => row.times.length));
  const time = byTime
    ? logScale(found.low, found.high, frame.left, frame.right)
    : logScale(found.low, found.high, frame.bottom, frame.top);
  const count = byTime ? countScale(most, frame.bottom, frame.top) : countScale(most, frame.left, frame.right);
  const words = byTime
    ? { x: tickOf(measure), y: grouped, below: MEASURES[measure] + ', at most', beside: 'tasks solved' }
    : { x: grouped, y: tickOf(measure), below: 'tasks solved, from the least to the most', beside: MEASURES[measure] };
  axes(area.pen, frame, byTime ? time : count, byTime ? count : time, words);
  for (const row of rows) {
    if (!row.times.length) continue;
    area.pen.strokeStyle = colour(row.strategy);
    area.pen.setLineDash(dash(row.strategy));
    area.pen.lineWidth = 1.8;
    area.pen.beginPath();
    thinned(row.times.length, area.width).forEach((i, place) => {
      const value = Math.max(row.times[i], 1e-9);
      const [x, y] = byTime ? [time.place(value), count.place(i + 1)] : [count.place(i + 1), time.place(value)];
      area.pen[place ? 'lineTo' : 'moveTo'](x, y);
    });
    area.pen.stroke();
    if (row.times.length === 1) {
      const value = Math.max(row.times[0], 1e-9);
      const [x, y] = byTime ? [time.place(value), count.place(1)] : [count.place(1), time.place(value)];
      area.pen.fillStyle = colour(row.strategy);
      area.pen.fillRect(x - 2, y - 2, 4, 4);
    }
  }
  area.pen.setLineDash([]);
}

function boxes(canvas, rows, measure) {
  const shownRows = rows.filter((row) => row.times.length);
  const height = Math.max(150, 26 * shownRows.length + 62);
  const found = range(shownRows);
  if (!found) return nothing(canvas, 150);
  const area = prepared(canvas, height);
  if (!area) return;
  const { pen } = area;
  const longest = Math.max(...shownRows.map((row) => pen.measureText(row.name).width));
  const frame = frameOf(area, Math.min(longest + 34, area.width * 0.45));
  const time = logScale(found.low, found.high, frame.left, frame.right);
  const y = { ticks: [], place: (place) => frame.top + (place + 0.5) / shownRows.length * (frame.bottom - frame.top) };
  axes(pen, frame, time, y, { x: tickOf(measure), y: () => '', below: MEASURES[measure], beside: '' });
  shownRows.forEach((row, place) => {
    const at = y.place(place);
    const [low, first, middle, third, high] =
      [0.05, 0.25, 0.5, 0.75, 0.95].map((share) => time.place(Math.max(quantile(row.times, share), 1e-9)));
    pen.fillStyle = inks().text;
    pen.textAlign = 'right';
    pen.textBaseline = 'middle';
    let name = row.name;
    while (name.length > 4 && pen.measureText(name).width > frame.left - 24) name = name.slice(0, -2) + '…';
    pen.fillText(name, frame.left - 8, at);
    pen.strokeStyle = colour(row.strategy);
    pen.fillStyle = colour(row.strategy) + '44';
    pen.lineWidth = 1.5;
    pen.beginPath();
    for (const [from, to] of [[low, first], [third, high]]) {
      pen.moveTo(from, at);
      pen.lineTo(to, at);
    }
    for (const end of [low, high]) {
      pen.moveTo(end, at - 4);
      pen.lineTo(end, at + 4);
    }
    pen.stroke();
    pen.fillRect(first, at - 7, Math.max(third - first, 1), 14);
    pen.strokeRect(first, at - 7, Math.max(third - first, 1), 14);
    pen.beginPath();
    pen.lineWidth = 3;
    pen.moveTo(middle, at - 7);
    pen.lineTo(middle, at + 7);
    pen.stroke();
  });
}

/** The points of two strategies on the tasks of both; what is not solved lies at the edge. */
function pointsOf(attempts, chosen, values, x, y) {
  const points = [];
  let i = 0;
  while (i < chosen.length) {
    const task = attempts.task[chosen[i]];
    let [ofX, ofY] = [-1, -1];
    for (; i < chosen.length && attempts.task[chosen[i]] === task; i++) {
      if (attempts.strategy[chosen[i]] === x) ofX = chosen[i];
      if (attempts.strategy[chosen[i]] === y) ofY = chosen[i];
    }
    if (ofX < 0 || ofY < 0) continue;
    const point = { task, x: values[ofX], y: values[ofY], statusX: attempts.status[ofX], statusY: attempts.status[ofY] };
    if (Number.isFinite(point.x) || Number.isFinite(point.y)) points.push(point);
  }
  return points;
}

function scatter(canvas, points, names, measure, current) {
  const height = Math.min(520, Math.max(300, canvas.clientWidth * 0.75));
  let [low, high] = [Infinity, 0];
  for (const { x, y } of points) {
    for (const value of [x, y]) {
      if (!Number.isFinite(value)) continue;
      low = Math.min(low, Math.max(value, 1e-9));
      high = Math.max(high, value);
    }
  }
  if (!points.length) {
    nothing(canvas, height);
    return [];
  }
  const area = prepared(canvas, height);
  if (!area) return [];
  const { pen } = area;
  const frame = frameOf(area);
  const edge = 22;
  const across = logScale(low, high, frame.left, frame.right - edge);
  const up = logScale(low, high, frame.bottom, frame.top + edge);
  axes(pen, frame, across, up, {
    x: tickOf(measure), y: tickOf(measure), below: names[0] + ' (' + MEASURES[measure] + ')', beside: names[1],
  });
  const ink = inks();
  pen.strokeStyle = ink.line;
  pen.setLineDash([4, 4]);
  pen.beginPath();
  pen.moveTo(across.place(across.low), up.place(up.low));
  pen.lineTo(across.place(across.high), up.place(up.high));
  pen.moveTo(frame.right - edge + 4, frame.top);
  pen.lineTo(frame.right - edge + 4, frame.bottom);
  pen.moveTo(frame.left, frame.top + edge - 4);
  pen.lineTo(frame.right, frame.top + edge - 4);
  pen.stroke();
  pen.setLineDash([]);
  const places = points.map((point) => ({
    ...point,
    left: Number.isFinite(point.x) ? across.place(Math.max(point.x, 1e-9)) : frame.right - 9,
    top: Number.isFinite(point.y) ? up.place(Math.max(point.y, 1e-9)) : frame.top + 9,
  }));
  pen.globalAlpha = points.length > 3000 ? 0.35 : 0.75;
  for (const place of places) {
    const isBad = IS_WRONG[place.statusX] || IS_WRONG[place.statusY];
    const both = Number.isFinite(place.x) && Number.isFinite(place.y);
    pen.fillStyle = isBad ? (isDark() ? '#ff8a80' : '#b3261e') : both ? colour(0) : colour(1);
    pen.beginPath();
    if (both && !isBad) pen.arc(place.left, place.top, 3, 0, 7);
    else pen.rect(place.left - 3, place.top - 3, 6, 6);
    pen.fill();
  }
  pen.globalAlpha = 1;
  const marked = places.find((place) => place.task === current);
  if (marked) {
    pen.strokeStyle = ink.text;
    pen.lineWidth = 2;
    pen.beginPath();
    pen.arc(marked.left, marked.top, 8, 0, 7);
    pen.stroke();
  }
  return places;
}
