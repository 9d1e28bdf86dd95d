// The page put together: what is chosen goes from the controls into the state, from there into every table and plot.

async function start() {
  const [tasks, records] = await Promise.all([block('tasks'), block('records')]);
  tasks.lower = tasks.ids.map((id) => id.toLowerCase());
  const attempts = attemptsOf(records);
  const alphabets = [...new Set(tasks.alphabets)].filter((name) => name).sort();
  const model = {
    tasks, records, attempts,
    alphabetRank: tasks.alphabets.map((name) => alphabets.indexOf(name)),
    redo: () => apply(),
    say: (text) => { byId('said').textContent = text; },
    open: (task) => open(task),
  };
  let questions = null;
  let measured = null;
  let results = null;
  let points = [];

  // The controls.
  const names = head.strategies.map((strategy) => strategy.name);
  const choosers = [
    chooser('family', 'Family', head.families, apply),
    chooser('strategy', 'Strategy', names, apply),
    chooser('status', 'Status', STATUS_NAMES.filter((_, s) => records.status.includes(s)), apply),
    alphabets.length > 1 ? chooser('alphabet', 'Alphabet', alphabets, apply) : null,
    head.operations.length ? chooser('op', 'Operation', head.operations, apply) : null,
  ].filter((made) => made);
  const text = element('input', { type: 'search', id: 'text', placeholder: 'in names and questions' });
  const [least, most] = ['min', 'max'].map((name) =>
    element('input', { type: 'number', id: name, min: 0, step: 1, placeholder: name === 'min' ? 'from' : 'to', 'aria-label': `Size in bytes, ${name === 'min' ? 'at least' : 'at most'}` }));
  const select = (id, options) => element('select', { id }, ...options.map(([value, name]) => element('option', { value }, name)));
  const measure = select('measure', Object.entries(MEASURES));
  const reset = element('button', { type: 'button', id: 'reset' }, 'Reset');
  let timer = 0;
  const soon = (task) => {
    clearTimeout(timer);
    timer = setTimeout(task, 120);
  };
  text.addEventListener('input', () => {
    state.text = text.value;
    soon(async () => {
      if (state.text && !questions) {
        const all = await block('questions');
        questions = all.map((question) => question === null ? '' : (typeof question === 'string' ? question : JSON.stringify(question)).toLowerCase());
      }
      apply();
    });
  });
  for (const box of [least, most]) {
    box.addEventListener('input', () => {
      state[box.id] = box.value;
      soon(apply);
    });
  }
  measure.addEventListener('change', () => {
    state.measure = measure.value;
    apply();
  });
  reset.addEventListener('click', () => {
    for (const list of LISTS) state[list].clear();
    Object.assign(state, { min: '', max: '', text: '' });
    showControls();
    apply();
  });
  byId('filters').prepend(...choosers,
    element('label', { class: 'field' }, 'Size ', least, ' – ', most, ' bytes'),
    element('label', { class: 'field' }, 'Text ', text),
    element('label', { class: 'field' }, 'Measure ', measure), reset);

  // Strategies x families.
  const cellKind = select('cell', [['solved', 'solved of records'], ['median', 'median'], ['total', 'total']]);
  cellKind.addEventListener('change', () => {
    state.cell = cellKind.value;
    apply();
  });
  byId('matrix-controls').append(element('label', { class: 'field' }, 'Cells show ', cellKind));

  // The scatter plot.
  const [ofX, ofY] = ['x', 'y'].map((id) => {
    const made = select('scatter-' + id, names.map((name) => [name, name]));
    made.addEventListener('change', () => {
      state[id] = made.value;
      apply();
    });
    return made;
  });
  byId('scatter-controls').append(element('label', { class: 'field' }, 'Across ', ofX), element('label', { class: 'field' }, 'Up ', ofY));
  const pair = () => {
    const x = names.includes(state.x) ? state.x : names[0];
    const y = names.includes(state.y) ? state.y : names[names[0] === x ? 1 : 0] ?? x;
    return [x, y];
  };

  // Records.
  const table = recordsTable(model, (task) => open(task));
  byId('records-area').append(table.area);
  const extra = select('extra', [['', 'none'],
    ...(head.blocks.measured ?? []).filter(([name]) => !name.endsWith(' at')).map(([name]) => [name, name.replace(/^count\./, '').replace(/^phase\.(.*)_s$/, 'phase $1')])]);
  extra.addEventListener('change', async () => {
    state.extra = extra.value;
    await takeExtra();
    apply();
  });
  async function takeExtra() {
    if (state.extra && !(head.blocks.measured ?? []).some(([name]) => name === state.extra)) state.extra = '';
    measured = state.extra ? spread(await block('measured'), state.extra, records.task.length) : null;
  }
  byId('records-controls').append(element('label', { class: 'field' }, 'One more column ', extra));

  // Another run.
  let against = null;
  if (head.against) {
    against = againstView(model, attemptsOf(await block('against')));
    byId('against-place').replaceWith(against.view);
  }

  // A task.
  const dialog = taskDialog(model, () => {
    if (!state.task) return;
    state.task = '';
    writeAddress(false);
    drawScatter();
  });
  async function open(task) {
    state.task = tasks.ids[task];
    writeAddress(true);
    await dialog.open(task);
    drawScatter();
    ready();
  }
  async function openFromState() {
    const task = state.task ? tasks.ids.indexOf(state.task) : -1;
    if (task >= 0) await dialog.open(task);
    else {
      state.task = '';
      dialog.close();
    }
  }

  function showControls() {
    choosers.forEach((made) => made.say());
    for (const [box, name] of [[text, 'text'], [least, 'min'], [most, 'max'], [measure, 'measure'], [cellKind, 'cell'], [extra, 'extra']]) {
      box.value = state[name];
    }
  }

  let byColumn = { id: '', down: false };

  function strategiesTable({ rows, best }) {
    const present = STATUS_NAMES.map((_, s) => s).filter((s) => rows.some((row) => row.byStatus[s]));
    const time = (value) => shown(value, state.measure);
    const columns = [
      ['strategy', (row) => row.strategy, (row) => row.name],
      ['records', (row) => row.records, (row) => grouped(row.records)],
      ['solved', (row) => row.solved, (row) => grouped(row.solved)],
      ['solved alone', (row) => row.alone, (row) => grouped(row.alone)],
      ['fastest', (row) => row.fastest, (row) => grouped(row.fastest)],
      ...present.map((s) => [STATUS_NAMES[s], (row) => row.byStatus[s], (row) => grouped(row.byStatus[s]), head.statuses[s][1]]),
      ['total', (row) => row.total, (row) => row.times.length ? time(row.total) : ''],
      ['median', (row) => row.median, (row) => time(row.median)],
      ...(state.measure === 'memory' ? [] : [['PAR-2', (row) => row.par2, (row) => time(row.par2)]]),
    ];
    const shownRows = rows.filter((row) => row.records);
    const by = columns.find(([name]) => name === byColumn.id);
    if (by) shownRows.sort((a, b) => (by[1](a) - by[1](b)) * (byColumn.down ? -1 : 1) || a.strategy - b.strategy);
    const headCells = columns.map(([name], place) => {
      const isSorted = byColumn.id === name;
      const button = element('button', { type: 'button', 'data-column': name }, name, isSorted ? (byColumn.down ? ' ↓' : ' ↑') : '');
      button.addEventListener('click', () => {
        byColumn = { id: name, down: isSorted ? !byColumn.down : place > 0 };
        strategiesTable(results);
        byId('strategies-table').querySelector(`[data-column="${name}"]`)?.focus();
      });
      return element('th', { scope: 'col', class: place ? 'r' : null, 'aria-sort': isSorted ? (byColumn.down ? 'descending' : 'ascending') : null }, button);
    });
    const body = shownRows.map((row) => element('tr', {}, ...columns.map(([, value, text, kind], place) => {
      if (!place) {
        const strategy = head.strategies[row.strategy];
        return element('th', { scope: 'row', title: [strategy.summary, strategy.options].filter((t) => t).join('\n') || null }, key(row.strategy), row.name);
      }
      return element('td', { class: 'r' + (kind === 'wrong' && value(row) ? ' wrong' : '') }, text(row));
    })));
    if (shownRows.length > 1) {
      body.push(element('tr', { class: 'best' }, ...columns.map(([name], place) => element(place ? 'td' : 'th', place ? { class: 'r' } : { scope: 'row' },
        { strategy: 'virtual best', records: grouped(best.tasks), solved: grouped(best.solved), total: time(best.total) }[name] ?? ''))));
    }
    byId('strategies-table').replaceChildren(element('table', {}, element('thead', {}, element('tr', {}, ...headCells)), element('tbody', {}, ...body)));
  }

  /** The line of a strategy in the plots. */
  function key(strategy) {
    const made = element('span', { class: 'key', 'aria-hidden': 'true' });
    made.style.borderTopColor = colour(strategy);
    made.style.borderTopStyle = ['solid', 'dashed', 'dotted', 'double'][Math.floor(strategy / 10) % 4];
    return made;
  }

  const MOST_FAMILIES = 300;

  function matrix({ rows, records: all, solved, cells }) {
    const strategies = head.strategies.length;
    const shownRows = rows.filter((row) => row.records);
    const families = head.families.map((_, f) => f).filter((f) => shownRows.some((row) => all[f * strategies + row.strategy]));
    const value = (cell) => {
      const times = cells(cell);
      if (state.cell === 'solved') return solved[cell] / all[cell];
      return times.length ? (state.cell === 'median' ? median(times) : sum(times)) : NaN;
    };
    const body = families.slice(0, MOST_FAMILIES).map((f) => {
      const values = shownRows.map((row) => value(f * strategies + row.strategy));
      const least = Math.min(...values.filter((v) => v > 0));
      const name = element('button', { type: 'button', class: 'link' }, head.families[f]);
      name.addEventListener('click', () => choose('family', head.families[f]));
      return element('tr', {}, element('th', { scope: 'row' }, name), ...shownRows.map((row, place) => {
        const cell = f * strategies + row.strategy;
        if (!all[cell]) return element('td', { class: 'r' });
        const words = state.cell === 'solved' ? `${grouped(solved[cell])} / ${grouped(all[cell])}`
          : Number.isFinite(values[place]) ? shown(values[place], state.measure) : `0 / ${grouped(all[cell])}`;
        const share = state.cell === 'solved' ? values[place] : Number.isFinite(values[place]) ? 1 - Math.min(1, Math.log10(values[place] / least) / 3) : 0;
        const made = element('td', { class: 'r heat' }, words);
        made.style.setProperty('--heat', `${Math.round(share * 34)}%`);
        return made;
      }));
    });
    byId('matrix').replaceChildren(element('table', {},
      element('thead', {}, element('tr', {}, element('th', { scope: 'col' }, 'family'), ...shownRows.map((row) => {
        const name = element('button', { type: 'button', class: 'link' }, row.name);
        name.addEventListener('click', () => choose('strategy', row.name));
        return element('th', { scope: 'col', class: 'r' }, name);
      }))),
      element('tbody', {}, ...body)));
    byId('matrix-note').textContent = families.length > MOST_FAMILIES
      ? `${grouped(families.length - MOST_FAMILIES)} more families are not shown: choose some.` : '';
  }

  function choose(list, name) {
    if (state[list].size === 1 && state[list].has(name)) state[list].clear();
    else state[list] = new Set([name]);
    showControls();
    apply();
  }

  function drawScatter() {
    const [x, y] = pair();
    ofX.value = x;
    ofY.value = y;
    const list = pointsOf(attempts, results.chosen, results.values, names.indexOf(x), names.indexOf(y));
    points = scatter(byId('scatter-plot'), list, [x, y], state.measure, state.task ? tasks.ids.indexOf(state.task) : focused);
    const [faster, slower] = [list.filter((p) => p.x < p.y || !Number.isFinite(p.y)).length, list.filter((p) => p.y < p.x || !Number.isFinite(p.x)).length];
    byId('scatter-words').textContent = `${counted(list.length, 'task', 'tasks')} that at least one of the two solved: ${x} has less on ${grouped(faster)}, ${y} on ${grouped(slower)}. `
      + 'What one of them did not solve lies at the edge, as a square.';
    byId('scatter-plot').setAttribute('aria-label', `Scatter plot of ${x} and ${y}. Left and right go from point to point, Enter opens the task.`);
  }

  function drawPlots() {
    const rows = results.rows.filter((row) => row.records);
    lines(byId('within-plot'), rows, state.measure, true);
    lines(byId('sorted-plot'), rows, state.measure, false);
    boxes(byId('box-plot'), rows, state.measure);
    drawScatter();
    for (const place of document.querySelectorAll('.legend')) {
      place.replaceChildren(...rows.map((row) => element('span', {}, key(row.strategy), row.name)));
    }
    const shares = [0.05, 0.25, 0.5, 0.75, 0.95];
    byId('plot-figures').replaceChildren(element('table', {},
      element('thead', {}, element('tr', {}, element('th', { scope: 'col' }, 'strategy'), element('th', { scope: 'col', class: 'r' }, 'solved'),
        ...shares.map((share) => element('th', { scope: 'col', class: 'r' }, `${share * 100} % within`)), element('th', { scope: 'col', class: 'r' }, 'all within'))),
      element('tbody', {}, ...rows.map((row) => element('tr', {}, element('th', { scope: 'row' }, row.name), element('td', { class: 'r' }, grouped(row.times.length)),
        ...[...shares, 1].map((share) => element('td', { class: 'r' }, shown(quantile(row.times, share), state.measure))))))));
  }

  function ready() {
    document.documentElement.dataset.state = 'ready';
  }

  /** Everything anew from the state. */
  function apply() {
    const began = performance.now();
    const chosen = fittingAttempts(attempts, fittingTasks(tasks, questions));
    results = { ...tally(attempts, chosen, tasks, state.measure), chosen };
    strategiesTable(results);
    matrix(results);
    drawPlots();
    const { count, shown: inTable } = table.show(chosen, measured);
    against?.show(chosen);
    const isAll = chosen.length === attempts.count;
    byId('count').textContent = (isAll ? `All ${counted(count, 'record', 'records')}` : `${grouped(count)} of ${counted(head.records, 'record', 'records')}`)
      + `, ${counted(results.best.tasks, 'task', 'tasks')}` + (inTable < count ? `; the table has the first ${grouped(inTable)}` : '');
    writeAddress(false);
    document.documentElement.dataset.took = (performance.now() - began).toFixed(1);
  }

  // Points.
  let focused = -1;
  const canvas = byId('scatter-plot');
  const nearest = (event) => {
    const box = canvas.getBoundingClientRect();
    let found = null;
    let least = 12 ** 2;
    for (const point of points) {
      const distance = (point.left - (event.clientX - box.left)) ** 2 + (point.top - (event.clientY - box.top)) ** 2;
      if (distance < least) [found, least] = [point, distance];
    }
    return found;
  };
  const words = (point) => {
    const [x, y] = pair();
    const of = (name, value, status) => `${name}: ${Number.isFinite(value) ? shown(value, state.measure) : STATUS_NAMES[status]}`;
    return `${tasks.ids[point.task]} — ${of(x, point.x, point.statusX)}, ${of(y, point.y, point.statusY)}`;
  };
  canvas.addEventListener('pointermove', (event) => {
    const point = nearest(event);
    canvas.style.cursor = point ? 'pointer' : '';
    byId('scatter-point').textContent = point ? words(point) : '';
  });
  canvas.addEventListener('click', (event) => {
    const point = nearest(event);
    if (point) open(point.task);
  });
  canvas.addEventListener('keydown', (event) => {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (step && points.length) {
      event.preventDefault();
      const sorted = [...points].sort((a, b) => a.left - b.left || a.top - b.top || a.task - b.task);
      const at = sorted.findIndex((point) => point.task === focused);
      const next = sorted[Math.max(0, Math.min(sorted.length - 1, at + step))];
      focused = next.task;
      drawScatter();
      byId('scatter-point').textContent = words(next);
      model.say(words(next));
    } else if (event.key === 'Enter' && focused >= 0) {
      event.preventDefault();
      open(focused);
    }
  });

  // Light and dark, size, print.
  const theme = byId('theme');
  const setTheme = (name) => {
    if (name) document.documentElement.dataset.theme = name;
    else delete document.documentElement.dataset.theme;
    theme.value = name;
  };
  theme.addEventListener('change', () => {
    setTheme(theme.value);
    strategiesTable(results);
    drawPlots();
  });
  DARK.addEventListener('change', () => {
    strategiesTable(results);
    drawPlots();
  });
  let width = document.documentElement.clientWidth;
  addEventListener('resize', () => soon(() => {
    if (width === document.documentElement.clientWidth) return table.draw();
    width = document.documentElement.clientWidth;
    drawPlots();
    table.draw();
  }));
  const opened = [];
  const print = (is) => {
    printing = is;
    if (is) {
      opened.push(...document.querySelectorAll('details.static:not([open])'));
      opened.forEach((details) => { details.open = true; });
    } else {
      opened.splice(0).forEach((details) => { details.open = false; });
    }
    drawPlots();
    table.draw();
  };
  addEventListener('beforeprint', () => print(true));
  addEventListener('afterprint', () => print(false));
  document.addEventListener('click', (event) => {
    for (const menu of document.querySelectorAll('details.chooser[open]')) if (!menu.contains(event.target)) menu.open = false;
  });
  addEventListener('popstate', async () => {
    readAddress();
    await takeExtra();
    showControls();
    apply();
    await openFromState();
    ready();
  });

  if (head.leftOut.length) byId('left-out').append(...head.leftOut.map((line) => element('li', {}, line)));
  readAddress();
  byId('app').hidden = false;
  byId('loading').remove();
  if (state.text) {
    const all = await block('questions');
    questions = all.map((question) => question === null ? '' : (typeof question === 'string' ? question : JSON.stringify(question)).toLowerCase());
  }
  await takeExtra();
  showControls();
  apply();
  await openFromState();
  ready();
}

start().catch((error) => {
  byId('loading').textContent = `This page cannot show its records here (${error.message}). What is written above and below is whole, and results.csv has the records; a newer browser may show them.`;
  document.documentElement.dataset.state = 'failed';
});
