// The table of all records that are looked at. Only the rows in view are elements; a table of half a million is as quick
// as one of fifty.

const ROW = 27;
// No browser scrolls further than some 17 million pixels.
const MOST_ROWS = 550000;
const PRINTED = 200;

const COLUMNS = [
  { id: 'task', title: 'task', key: (model, i) => model.records.task[i] },
  { id: 'family', title: 'family', key: (model, i) => model.tasks.families[model.records.task[i]] },
  { id: 'alphabet', title: 'alphabet', key: (model, i) => model.alphabetRank[model.records.task[i]] },
  { id: 'size', title: 'size', right: true, key: (model, i) => model.tasks.sizes[model.records.task[i]] },
  { id: 'strategy', title: 'strategy', key: (model, i) => model.records.strategy[i] },
  { id: 'repeat', title: 'repeat', right: true, key: (model, i) => model.records.repeat[i], when: () => head.repeats > 1 },
  { id: 'status', title: 'status', key: (model, i) => model.records.status[i] },
  { id: 'solve', title: 'solve', right: true, key: (model, i) => IS_SOLVED[model.records.status[i]] ? model.records.solve[i] : NaN },
  { id: 'cpu', title: 'CPU', right: true, key: (model, i) => model.records.cpu[i] },
  { id: 'wall', title: 'clock', right: true, key: (model, i) => model.records.wall[i] },
  { id: 'memory', title: 'memory', right: true, key: (model, i) => model.records.memory[i] },
];

function recordsTable(model, open) {
  const body = element('tbody');
  const headRow = element('tr', { 'aria-rowindex': 1 });
  const table = element('table', { class: 'records' }, element('thead', {}, headRow), body);
  const area = element('div', {
    class: 'scroll tall', tabindex: 0, role: 'region',
    'aria-label': 'Records. Up and down go from row to row, Enter opens the task.',
  }, table);
  let rows = new Uint32Array(0);
  let current = -1;
  let extra = null;

  const columns = () => [
    ...COLUMNS.filter((column) => !column.when || column.when()),
    ...(extra ? [{ id: 'extra', title: extra.name.replace(/^(phase|count)\./, '').replace(/_s$/, ''), right: true, key: (_, i) => extra.values[i] }] : []),
  ];

  function cell(column, i) {
    const { records, tasks } = model;
    const task = records.task[i];
    switch (column.id) {
      case 'task': return tasks.ids[task];
      case 'family': return head.families[tasks.families[task]] ?? '';
      case 'alphabet': return tasks.alphabets[task];
      case 'size': return size(tasks.sizes[task]);
      case 'strategy': return head.strategies[records.strategy[i]].name;
      case 'repeat': return String(records.repeat[i] + 1);
      case 'status': return STATUS_NAMES[records.status[i]];
      case 'extra': return extra.name.startsWith('phase.') ? duration(column.key(model, i))
        : Number.isFinite(extra.values[i]) ? grouped(extra.values[i]) : '';
      default: return shown(column.key(model, i), column.id);
    }
  }

  function drawHead() {
    headRow.replaceChildren(...columns().map((column) => {
      const isSorted = state.sort === column.id;
      const button = element('button', { type: 'button', 'data-sort': column.id }, column.title, isSorted ? (state.down ? ' ↓' : ' ↑') : '');
      button.addEventListener('click', () => {
        state.down = isSorted && !state.down ? '1' : '';
        state.sort = column.id;
        model.redo();
        headRow.querySelector(`[data-sort="${column.id}"]`)?.focus();
      });
      return element('th', {
        scope: 'col', class: column.right ? 'r' : null,
        'aria-sort': isSorted ? (state.down ? 'descending' : 'ascending') : null,
      }, button);
    }));
  }

  function row(place) {
    const i = rows[place];
    const made = element('tr', {
      'aria-rowindex': place + 2, 'data-place': place, class: place === current ? 'current' : null,
    }, ...columns().map((column) => element('td', { class: column.right ? 'r' : null }, cell(column, i))));
    const status = model.records.status[i];
    const kind = head.statuses[status][1];
    if (kind === 'wrong' || kind === 'failed') made.classList.add(kind);
    return made;
  }

  function draw() {
    const most = printing ? PRINTED : rows.length;
    const first = printing ? 0 : Math.max(0, Math.floor(area.scrollTop / ROW) - 10);
    const last = printing ? Math.min(most, rows.length) : Math.min(rows.length, first + Math.ceil(area.clientHeight / ROW) + 20);
    const parts = [];
    const space = (count) => {
      const made = element('tr', { class: 'space', 'aria-hidden': 'true' }, element('td', { colspan: columns().length }));
      made.firstChild.style.height = count * ROW + 'px';
      return made;
    };
    if (first > 0) parts.push(space(first));
    for (let place = first; place < last; place++) parts.push(row(place));
    if (last < rows.length && !printing) parts.push(space(rows.length - last));
    body.replaceChildren(...parts);
  }

  let waiting = false;
  area.addEventListener('scroll', () => {
    if (waiting) return;
    waiting = true;
    requestAnimationFrame(() => {
      waiting = false;
      draw();
    });
  });
  body.addEventListener('click', (event) => {
    const at = event.target.closest('tr[data-place]');
    if (!at || String(getSelection())) return;
    current = Number(at.dataset.place);
    open(model.records.task[rows[current]]);
  });
  area.addEventListener('keydown', (event) => {
    if (event.target !== area) return;
    const page = Math.max(1, Math.floor(area.clientHeight / ROW) - 2);
    const step = { ArrowDown: 1, ArrowUp: -1, PageDown: page, PageUp: -page, Home: -Infinity, End: Infinity }[event.key];
    if (step !== undefined && rows.length) {
      event.preventDefault();
      current = Math.max(0, Math.min(rows.length - 1, current + step));
      const top = current * ROW;
      const inside = area.clientHeight - ROW - 4;
      if (top < area.scrollTop) area.scrollTop = top;
      if (top > area.scrollTop + inside - ROW) area.scrollTop = top - inside + ROW;
      draw();
      const cells = body.querySelector('tr.current')?.children ?? [];
      model.say([...cells].map((td) => td.textContent).filter((text) => text).join(', '));
    } else if (event.key === 'Enter' && current >= 0 && rows.length) {
      // The key would close the task again: it is open before the key is up.
      event.preventDefault();
      open(model.records.task[rows[current]]);
    }
  });

  /** Shows the records of these attempts, in the order of the state. */
  function show(chosen, column) {
    extra = column;
    const { start } = model.attempts;
    let count = 0;
    for (let k = 0; k < chosen.length; k++) count += start[chosen[k] + 1] - start[chosen[k]];
    const found = new Uint32Array(count);
    let next = 0;
    for (let k = 0; k < chosen.length; k++) {
      for (let i = start[chosen[k]]; i < start[chosen[k] + 1]; i++) found[next++] = i;
    }
    const by = columns().find((one) => one.id === state.sort) ?? COLUMNS[0];
    rows = found;
    if (by.id !== 'task' || state.down) {
      const keys = new Float32Array(model.records.task.length);
      const [with_, without] = [new Uint32Array(count), new Uint32Array(count)];
      let [some, none] = [0, 0];
      for (let k = 0; k < count; k++) {
        const key = by.key(model, found[k]);
        if (Number.isFinite(key)) {
          keys[found[k]] = state.down ? -key : key;
          with_[some++] = found[k];
        } else {
          without[none++] = found[k];
        }
      }
      rows = new Uint32Array(count);
      rows.set(sortedBy(keys, with_.subarray(0, some)));
      rows.set(without.subarray(0, none), some);
    }
    if (rows.length > MOST_ROWS) rows = rows.subarray(0, MOST_ROWS);
    current = -1;
    table.setAttribute('aria-rowcount', rows.length + 1);
    drawHead();
    area.scrollTop = 0;
    draw();
    return { count, shown: rows.length };
  }

  return { area, show, draw };
}
