// Another run beside this one: what became of the same strategies on the same tasks. Times are compared where both runs
// solved a task; a ratio is the time of this run over that of the other.

const MOST_PAIRS = 500;

function againstView(model, other) {
  const { attempts } = model;
  // Both are sorted by task and strategy.
  const partner = new Int32Array(attempts.count).fill(-1);
  for (let a = 0, b = 0; a < attempts.count; a++) {
    // The first attempt of the other run on this task; strategies of a task stand by name there, as here.
    while (b < other.count && other.task[b] < attempts.task[a]) b++;
    for (let at = b; at < other.count && other.task[at] === attempts.task[a]; at++) {
      if (other.strategy[at] === attempts.strategy[a]) {
        partner[a] = at;
        break;
      }
    }
  }
  const summary = element('div', { class: 'scroll' });
  const list = element('div', { class: 'scroll medium', tabindex: 0, role: 'region', 'aria-label': 'Tasks that differ' });
  const said = element('p');

  /** The least and the largest time of the repeats. */
  function span(of, a, measure) {
    const cells = of.records[measure];
    let [low, high] = [Infinity, -Infinity];
    for (let i = of.start[a]; i < of.start[a + 1]; i++) {
      low = Math.min(low, cells[i]);
      high = Math.max(high, cells[i]);
    }
    return [low, high];
  }

  function show(chosen) {
    const measure = state.measure === 'prepare' ? 'solve' : state.measure;
    const now = measureOf(attempts, measure).values;
    const then = measureOf(other, measure).values;
    const groups = head.strategies.map(() => ({ both: 0, gained: 0, lost: 0, wrong: 0, wrongThen: 0, logs: [] }));
    const pairs = [];
    let missing = 0;
    for (let k = 0; k < chosen.length; k++) {
      const a = chosen[k];
      const b = partner[a];
      const group = groups[attempts.strategy[a]];
      if (b < 0) {
        missing++;
        continue;
      }
      const [statusNow, statusThen] = [attempts.status[a], other.status[b]];
      group.both++;
      if (IS_SOLVED[statusNow] && !IS_SOLVED[statusThen]) group.gained++;
      if (!IS_SOLVED[statusNow] && IS_SOLVED[statusThen]) group.lost++;
      group.wrong += IS_WRONG[statusNow];
      group.wrongThen += IS_WRONG[statusThen];
      const log = now[a] > 0 && then[b] > 0 ? Math.log(now[a] / then[b]) : NaN;
      if (Number.isFinite(log)) group.logs.push(log);
      if (statusNow !== statusThen || Math.abs(log) > 0.05) pairs.push({ a, b, log, changed: statusNow !== statusThen });
    }
    const titles = ['strategy', 'in both', 'solved now only', 'solved then only', 'wrong then', 'wrong now', 'now / then', '95 % interval', 'of'];
    summary.replaceChildren(element('table', {},
      element('thead', {}, element('tr', {}, ...titles.map((title, place) =>
        element('th', { scope: 'col', class: place ? 'r' : null }, title)))),
      element('tbody', {}, ...groups.flatMap((group, s) => {
        if (!group.both) return [];
        const { ratio, low, high } = meanRatio(group.logs);
        const verdict = low > 1 ? 'worse' : high < 1 ? 'better' : null;
        const interval = Number.isFinite(low) ? `${low.toFixed(3)} to ${high.toFixed(3)}` : 'too few';
        return [element('tr', {},
          element('th', { scope: 'row' }, head.strategies[s].name),
          ...[group.both, group.gained, group.lost, group.wrongThen, group.wrong].map((count) => element('td', { class: 'r' }, grouped(count))),
          element('td', { class: 'r ' + (verdict ?? '') }, factor(ratio) + (verdict ? verdict === 'worse' ? ' slower' : ' faster' : '')),
          element('td', { class: 'r' }, group.logs.length ? interval : ''),
          element('td', { class: 'r' }, grouped(group.logs.length)))];
      }))));
    pairs.sort((one, two) => two.changed - one.changed || Math.abs(two.log) - Math.abs(one.log) || one.a - two.a);
    const repeated = head.repeats > 1;
    list.replaceChildren(element('table', { class: 'pairs' },
      element('thead', {}, element('tr', {}, ...['task', 'strategy', 'then', 'now', 'then', 'now', 'now / then', repeated ? 'range of repeats' : ''].map((title, place) =>
        element('th', { scope: 'col', class: place > 3 ? 'r' : null }, title)))),
      element('tbody', {}, ...pairs.slice(0, MOST_PAIRS).map(({ a, b, log, changed }) => {
        const ratio = Math.exp(log);
        const button = element('button', { type: 'button', class: 'link' }, model.tasks.ids[attempts.task[a]]);
        button.addEventListener('click', () => model.open(attempts.task[a]));
        let interval = '';
        if (repeated && Number.isFinite(log)) {
          const [low, high] = span(attempts, a, measure);
          const [lowThen, highThen] = span(other, b, measure);
          interval = `${factor(low / highThen)} to ${factor(high / lowThen)}`;
        }
        return element('tr', { class: changed ? 'changed' : null },
          element('td', {}, button),
          element('td', {}, head.strategies[attempts.strategy[a]].name),
          element('td', {}, STATUS_NAMES[other.status[b]]),
          element('td', {}, STATUS_NAMES[attempts.status[a]]),
          element('td', { class: 'r' }, shown(then[b], measure)),
          element('td', { class: 'r' }, shown(now[a], measure)),
          element('td', { class: 'r' }, factor(ratio)),
          element('td', { class: 'r' }, interval));
      }))));
    const differ = pairs.filter((pair) => pair.changed).length;
    said.textContent = `${counted(differ, 'status differs', 'statuses differ')} and ${counted(pairs.length - differ, 'time differs', 'times differ')} by more `
      + `than 5 % among what is chosen${pairs.length > MOST_PAIRS ? `; the first ${MOST_PAIRS} are shown` : ''}.`
      + (missing ? ` ${counted(missing, 'attempt has', 'attempts have')} no partner in the other run.` : '');
  }

  const view = element('section', { id: 'against', 'aria-labelledby': 'against-title' },
    element('h2', { id: 'against-title' }, `Against ${head.against.name} of ${head.against.started}`),
    element('p', {}, head.against.foreign ? counted(head.against.foreign, 'record', 'records')
      + ' of the other run are of tasks or strategies that this one does not have. ' : '',
      'A ratio is the time now over the time then, the geometric mean over the tasks that both runs solved, with a bootstrap interval over these tasks. It says nothing of what else differed between the runs.'),
    summary, said, list);
  return { view, show };
}
