// What is counted and computed of the attempts that are looked at.

/** Lists of numbers by group, each sorted: `order` is that of all values, so that nothing is sorted again. */
function sortedGroups(order, values, groupOf, groups) {
  const starts = new Uint32Array(groups + 1);
  for (let i = 0; i < order.length; i++) {
    const group = groupOf(order[i]);
    if (group >= 0) starts[group + 1]++;
  }
  for (let group = 0; group < groups; group++) starts[group + 1] += starts[group];
  const cells = new Float32Array(starts[groups]);
  const next = starts.slice();
  for (let i = 0; i < order.length; i++) {
    const group = groupOf(order[i]);
    if (group >= 0) cells[next[group]++] = values[order[i]];
  }
  return (group) => cells.subarray(starts[group], starts[group + 1]);
}

function sum(values) {
  let total = 0;
  for (let i = 0; i < values.length; i++) total += values[i];
  return total;
}

/** The number below which a share of sorted numbers lies, between neighbours where need be. */
function quantile(sorted, share) {
  if (!sorted.length) return NaN;
  const at = share * (sorted.length - 1);
  const low = Math.floor(at);
  const rest = at - low;
  return rest === 0 ? sorted[low] : sorted[low] * (1 - rest) + sorted[low + 1] * rest;
}

/** A row for each strategy and one for the best of all; and the same by family. */
function tally(attempts, chosen, tasks, measure) {
  const strategies = head.strategies.length;
  const families = head.families.length;
  const { values, order } = measureOf(attempts, measure);
  const isChosen = new Uint8Array(attempts.count);
  const counts = new Uint32Array(strategies * STATUS_NAMES.length);
  const records = new Uint32Array(strategies * families);
  const solved = new Uint32Array(strategies * families);
  const alone = new Uint32Array(strategies);
  const fastest = new Uint32Array(strategies);
  const best = { solved: 0, total: 0, tasks: 0 };
  const ofTask = { task: -1, solvers: 0, solver: -1, least: Infinity, who: [] };
  const close = () => {
    if (ofTask.task < 0) return;
    best.tasks++;
    if (ofTask.solvers === 0) return;
    best.solved++;
    if (ofTask.least < Infinity) best.total += ofTask.least;
    if (ofTask.solvers === 1) alone[ofTask.solver]++;
    for (const who of ofTask.who) fastest[who]++;
  };
  for (let i = 0; i < chosen.length; i++) {
    const a = chosen[i];
    const s = attempts.strategy[a];
    const status = attempts.status[a];
    const task = attempts.task[a];
    const cell = tasks.families[task] * strategies + s;
    isChosen[a] = 1;
    counts[s * STATUS_NAMES.length + status]++;
    records[cell]++;
    if (task !== ofTask.task) {
      close();
      Object.assign(ofTask, { task, solvers: 0, solver: -1, least: Infinity, who: [] });
    }
    if (IS_SOLVED[status]) {
      solved[cell]++;
      ofTask.solvers++;
      ofTask.solver = s;
      if (values[a] < ofTask.least) {
        ofTask.least = values[a];
        ofTask.who = [s];
      } else if (values[a] === ofTask.least) {
        ofTask.who.push(s);
      }
    }
  }
  close();
  const times = sortedGroups(order, values, (a) => isChosen[a] ? attempts.strategy[a] : -1, strategies);
  const cells = sortedGroups(order, values,
    (a) => isChosen[a] ? tasks.families[attempts.task[a]] * strategies + attempts.strategy[a] : -1, strategies * families);
  const rows = head.strategies.map((strategy, s) => {
    const byStatus = counts.subarray(s * STATUS_NAMES.length, (s + 1) * STATUS_NAMES.length);
    const all = sum(byStatus);
    const mine = times(s);
    const done = byStatus.reduce((total, count, status) => total + (IS_SOLVED[status] ? count : 0), 0);
    const total = sum(mine);
    return {
      strategy: s, name: strategy.name, records: all, solved: done, byStatus, alone: alone[s], fastest: fastest[s],
      total, median: median(mine), times: mine, par2: all ? (total + (all - done) * 2 * head.limit) / all : NaN,
    };
  });
  return { rows, best, records, solved, cells, isChosen, values };
}

/** Numbers from a seed, so that a page shows the same interval each time (mulberry32). */
function random(seed) {
  let at = seed >>> 0;
  return () => {
    at = (at + 0x6d2b79f5) >>> 0;
    let mixed = at;
    mixed = Math.imul(mixed ^ (mixed >>> 15), mixed | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
}

const RESAMPLES = 1000;
const MOST_DRAWS = 4e6;

/**
 * The geometric mean of ratios, and its interval of 95 %: percentiles of bootstrap samples, drawn from the run's seed. Of
 * many ratios, whose mean is nearly normal, the interval is that of the normal distribution; of fewer than six there is
 * none.
 */
function meanRatio(logs) {
  const count = logs.length;
  if (!count) return { ratio: NaN, low: NaN, high: NaN };
  const mean = sum(logs) / count;
  const ratio = Math.exp(mean);
  if (count < 6) return { ratio, low: NaN, high: NaN };
  if (count * RESAMPLES > MOST_DRAWS) {
    let squares = 0;
    for (const log of logs) squares += (log - mean) ** 2;
    const half = 1.96 * Math.sqrt(squares / (count - 1) / count);
    return { ratio, low: Math.exp(mean - half), high: Math.exp(mean + half) };
  }
  const next = random(head.seed);
  const means = new Float64Array(RESAMPLES);
  for (let sample = 0; sample < RESAMPLES; sample++) {
    let total = 0;
    for (let i = 0; i < count; i++) total += logs[Math.floor(next() * count)];
    means[sample] = total / count;
  }
  means.sort();
  return { ratio, low: Math.exp(quantile(means, 0.025)), high: Math.exp(quantile(means, 0.975)) };
}
