/** What the frame cost, and how well its contacts were resolved. */

import type { ContactReport, SimulationReport, SolvedFrame } from '../link/protocol';
import { together } from '../signal';
import type { Studio } from '../studio';
import { h, icon, section, short } from './dom';

const stages = ['intersect', 'map', 'zone', 'parametrize', 'direction', 'guide', 'displace'];

/** More than this nobody reads; heaps of bodies have hundreds. */
const mostContacts = 60;

export function readout(studio: Studio, drawMilliseconds: () => number): HTMLElement {
  const bar = h('div', { class: 'stage-bar', role: 'img' });
  const times = h('p', { class: 'times' });
  const key = h('ul', { class: 'stage-key' });
  const facts = h('div', { class: 'simulation-report' });
  const contacts = h('div', { class: 'contact-reports' });
  const volumes = h('table', { class: 'numbers' });
  together([studio.solved, studio.measures], () => {
    const solved = studio.solved.value;
    if (!solved) return;
    showTimes(solved, drawMilliseconds(), bar, key, times);
    const simulation = solved.report.simulation;
    facts.replaceChildren(...(simulation ? simulationReport(simulation) : []));
    const told = studio.toldContacts();
    contacts.replaceChildren(
      ...told.slice(0, mostContacts).map(({ name, report }) => contactReport(report, name)),
      ...(told.length > mostContacts ? [h('p', { class: 'notes' }, `and ${told.length - mostContacts} more.`)] : []),
    );
    volumes.replaceChildren(
      h('caption', {}, 'Volume'),
      ...solved.report.objects.map((object) => {
        const error = object.volume_after / object.volume_before - 1;
        const moved = object.deformed_vertices > 0;
        return h(
          'tr',
          {},
          h('th', { scope: 'row' }, object.name),
          h('td', {}, moved && Number.isFinite(error) ? `${Math.abs(error) < 1e-6 ? 0 : short(100 * error, 2)} %` : '–'),
          h('td', { title: 'Largest displacement' }, moved ? `moved ${short(object.max_displacement)}` : 'unmoved'),
        );
      }),
    );
  });
  return section('Read-out', true, bar, times, key, facts, contacts, volumes);
}

function showTimes(solved: SolvedFrame, draw: number, bar: HTMLElement, key: HTMLElement, times: HTMLElement): void {
  const ms = solved.report.milliseconds;
  const total = ms.total ?? 0;
  // A simulation has stages of its own.
  const names = solved.report.simulation ? Object.keys(ms).filter((name) => name !== 'total').slice(0, stages.length) : stages;
  const known = names.map((stage) => ({ stage, time: ms[stage] ?? 0 }));
  const rest = Math.max(0, total - known.reduce((sum, { time }) => sum + time, 0));
  const all = [...known, { stage: 'other', time: rest }];
  bar.replaceChildren(
    ...all.map(({ stage, time }, i) => {
      const part = h('span', { class: `stage stage-${i}`, title: `${stage} ${short(time, 2)} ms` });
      part.style.flexGrow = String(Math.max(time, 0.0001));
      return part;
    }),
  );
  bar.setAttribute('aria-label', all.map(({ stage, time }) => `${stage} ${short(time, 2)} ms`).join(', '));
  key.replaceChildren(
    ...all.map(({ stage, time }, i) =>
      h('li', {}, h('span', { class: `key-dot stage-${i}` }), `${stage} `, h('b', {}, short(time, 2))),
    ),
  );
  times.textContent = `${short(total)} ms for frame ${short(solved.report.frame, 6)}, drawn in ${short(draw, 2)} ms`;
}

function simulationReport({ numbers, notes }: SimulationReport): HTMLElement[] {
  return [
    ...notes.map((note) => h('p', { class: 'note' }, icon('warning'), note)),
    h(
      'table',
      { class: 'numbers' },
      h('caption', {}, 'Simulation'),
      ...Object.entries(numbers).map(([name, value]) => h('tr', {}, h('th', { scope: 'row' }, name), h('td', {}, short(value)))),
    ),
  ];
}

function contactReport(contact: ContactReport, name: string): HTMLElement {
  const touching = contact.direction.some((x) => x !== 0);
  const measured = contact.depth_before !== undefined;
  const line = (name: string, before: string, after: string) =>
    h('tr', {}, h('th', { scope: 'row' }, name), h('td', {}, before), h('td', {}, after));
  const value = (x: number | undefined) => (x === undefined ? '…' : short(x));
  return h(
    'div',
    { class: 'contact-report' },
    h('h3', {}, name),
    contact.note ? h('p', { class: 'note' }, icon('warning'), contact.note) : null,
    touching || measured
      ? h(
          'table',
          { class: 'numbers' },
          h('tr', {}, h('td', {}), h('th', { scope: 'col' }, 'before'), h('th', { scope: 'col' }, 'after')),
          line('depth', value(contact.depth_before), value(contact.depth_after)),
          line('crossings', value(contact.crossings_before), value(contact.crossings_after)),
          line('zone area', short(contact.zone_area[0]), short(contact.zone_area[1])),
        )
      : h('p', { class: 'notes' }, 'No contact in this frame.'),
  );
}
