/** How good a state is; a terminal shows it as a colour. */
export type Tone = 'good' | 'bad' | 'wait' | 'faint'

export type Cell = string | number | null | undefined | { readonly text: string; readonly tone: Tone }

export interface Table {
  readonly head: readonly string[]
  readonly rows: readonly (readonly Cell[])[]
  /** Said on the error output if there are no rows. */
  readonly none?: string
}

/** One resource: a line for each member that has a value. */
export interface Sheet {
  readonly fields: readonly (readonly [name: string, value: Cell])[]
}

/** What people see: a table, a sheet, several of these, or a text. */
export type View = Table | Sheet | string | readonly View[]

const TONES: Readonly<Record<string, Tone>> = {
  ready: 'good',
  active: 'good',
  up: 'good',
  ok: 'good',
  finished: 'good',
  failed: 'bad',
  degraded: 'bad',
  slashed: 'bad',
  spoiled: 'bad',
  down: 'bad',
  missing: 'bad',
  error: 'bad',
  stopped: 'faint',
  removed: 'faint',
  exited: 'faint',
  withdrawn: 'faint',
  'not deployed': 'faint',
  optional: 'faint',
}

/** A state in its colour. */
export function stateCell(state: string): Cell {
  return { text: state, tone: TONES[state] ?? 'wait' }
}

export function textOf(cell: Cell): string {
  return String((typeof cell === 'object' ? cell?.text : cell) ?? '')
}
