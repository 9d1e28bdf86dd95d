// One task: what it asks, what each strategy answered, what that took, and the command that asks again.

function facts(pairs) {
  return element('dl', {}, ...pairs.filter(([, value]) => value).flatMap(([name, value]) =>
    [element('dt', {}, name), element('dd', {}, value)]));
}

function questionView(question, tasks, task) {
  if (question === null) {
    return element('p', {}, 'The question is not in this page for its size; this prints it: ',
      element('code', {}, 'harness task show . ' + quoted(tasks.ids[task])));
  }
  if (typeof question === 'string') return element('pre', { class: 'question', tabindex: 0 }, question);
  return element('div', {},
    element('ul', {}, ...question.asked.map((asked) => element('li', {}, asked))),
    element('div', { class: 'scroll' }, element('table', {},
      element('thead', {}, element('tr', {}, ...['name', 'expression', 'dialect'].map((title) =>
        element('th', { scope: 'col' }, title)))),
      element('tbody', {}, ...question.regexes.map(([name, pattern, dialect]) => element('tr', {},
        element('td', {}, name), element('td', {}, element('code', { class: 'long' }, pattern)), element('td', {}, dialect)))))));
}

/** The phases and counters of a record, by name. */
function measuredOf(measured, record) {
  const found = [];
  for (const name of Object.keys(measured)) {
    if (name.endsWith(' at')) continue;
    const places = measured[name + ' at'];
    let [low, high] = [0, places.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (places[middle] < record) low = middle + 1;
      else high = middle;
    }
    if (places[low] === record) found.push([name, measured[name][low]]);
  }
  return found;
}

/** The values of a phase or counter by record, for the table. */
function spread(measured, name, records) {
  const values = new Float32Array(records).fill(NaN);
  const places = measured[name + ' at'];
  for (let i = 0; i < places.length; i++) values[places[i]] = measured[name][i];
  return { name, values };
}

function taskDialog(model, closed) {
  const dialog = byId('task');
  dialog.addEventListener('close', closed);
  dialog.addEventListener('click', (event) => {
    if (event.target === dialog) dialog.close();
  });

  async function open(task) {
    const [questions, texts, measured] = await Promise.all([block('questions'), block('texts'), block('measured')]);
    const { records, tasks, attempts } = model;
    const id = tasks.ids[task];
    const expected = tasks.expected[task];
    const close = element('button', { type: 'button', class: 'close', autofocus: true }, 'Close');
    close.addEventListener('click', () => dialog.close());
    // Attempts are sorted by task.
    let [low, high] = [0, attempts.count];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (attempts.task[middle] < task) low = middle + 1;
      else high = middle;
    }
    const rows = [];
    for (let a = low; a < attempts.count && attempts.task[a] === task; a++) {
      for (let i = attempts.start[a]; i < attempts.start[a + 1]; i++) rows.push(i);
    }
    rows.sort((a, b) => records.strategy[a] - records.strategy[b] || records.repeat[a] - records.repeat[b]);
    const answers = rows.map((i) => {
      const name = head.strategies[records.strategy[i]].name;
      const [witness, detail, message] = ['witness', 'detail', 'stderr'].map((column) => texts[records[column][i]]);
      const all = measuredOf(measured, i);
      const of = (prefix) => all.filter(([key]) => key.startsWith(prefix)).map(([key, value]) =>
        [key.slice(prefix.length).replace(/_s$/, ''), prefix === 'phase.' ? duration(value) : grouped(value)]);
      const command = `harness task show . ${quoted(id)} --strategy ${quoted(name)} | harness worker`;
      const more = element('details', {}, element('summary', {}, 'answer, phases, counters'),
        facts([
          [head.repeats > 1 ? 'repeat' : '', head.repeats > 1 ? String(records.repeat[i] + 1) : ''],
          ['detail', detail],
          ['witness', witness && element('pre', {}, witness)],
          ['standard error', message && element('pre', {}, message)],
          ...of('phase.').map(([key, value]) => ['phase ' + key, value]),
          ...of('count.'),
          ['again', element('code', { class: 'long' }, command)],
        ]));
      const kind = head.statuses[records.status[i]][1];
      return element('tr', { class: kind === 'wrong' || kind === 'failed' ? kind : null },
        element('th', { scope: 'row' }, name),
        element('td', {}, STATUS_NAMES[records.status[i]]),
        ...['solve', 'cpu', 'wall', 'memory'].map((column) => element('td', { class: 'r' },
          column !== 'solve' || IS_SOLVED[records.status[i]] ? shown(records[column][i], column) : '')),
        element('td', { class: 'wide' }, more));
    });
    const drawing = head.drawings.find(([of]) => of === id);
    const picture = drawing && element('img', {
      alt: 'The task as a string graph', src: 'data:image/svg+xml;charset=utf-8,' + encodeURIComponent(drawing[1]),
    });
    const title = element('h2', { id: 'task-title' }, id);
    dialog.replaceChildren(
      element('header', {}, title, close),
      facts([
        ['family', head.families[tasks.families[task]]],
        ['alphabet', tasks.alphabets[task]],
        ['size', size(tasks.sizes[task])],
        ['answers asked for', String(tasks.asked[task])],
        ['operations', tasks.operations[task].map((operation) => head.operations[operation]).join(', ')],
        ['expected', expected && expected[0] + ' (' + expected[1] + ')'],
      ]),
      questionView(questions[task], tasks, task),
      picture ?? '',
      element('h3', {}, 'Answers'),
      element('div', { class: 'scroll' }, element('table', { class: 'answers' },
        element('thead', {}, element('tr', {}, ...['strategy', 'status', 'solve', 'CPU', 'clock', 'memory', ''].map((text, place) =>
          element('th', { scope: 'col', class: place > 1 && place < 6 ? 'r' : null }, text)))),
        element('tbody', {}, ...answers))),
      element('p', { class: 'notes' }, 'The commands are for the directory that this page lies in.'));
    if (!dialog.open) dialog.showModal();
    dialog.scrollTop = 0;
  }

  return { open, close: () => dialog.open && dialog.close(), dialog };
}
