import { type Cell, type Sheet, type Table, type Tone, textOf, type View } from './view.js'
import { cut, sanitize, widthOf } from './width.js'

export interface Canvas {
  /** Places a line has; none where nobody looks at it. */
  readonly width?: number
  readonly hasColour: boolean
}

const GAP = '  '
/** After the titles, where columns were left out. */
const MORE = ' …'
const NARROW = 8
const COLOURS: Readonly<Record<Tone, number>> = { good: 32, bad: 31, wait: 33, faint: 2 }

/** What people are shown, as lines. */
export function render(view: View, canvas: Canvas): string {
  if (typeof view === 'string') return view && lines(view.replace(/\n$/, '').split('\n').map(sanitize))
  if ('head' in view) return renderTable(view, canvas)
  if ('fields' in view) return renderSheet(view, canvas)
  return view
    .map((part) => render(part, canvas))
    .filter(Boolean)
    .join('\n')
}

function renderTable({ head, rows }: Table, canvas: Canvas): string {
  if (rows.length === 0) return ''
  const titles = head.map((title) => ({ text: title, tone: 'faint' as const }))
  const wanted = head.map((title, column) => Math.max(widthOf(title), ...rows.map((row) => widthOf(written(row[column])))))
  const widths = fitted(wanted, canvas.width)
  const line = (row: readonly Cell[]) => widths.map((width, column) => painted(row[column], width, canvas)).join(GAP)
  const first = widths.length < head.length ? `${line(titles)}${MORE}` : line(titles)
  return lines([first, ...rows.map(line)])
}

function renderSheet({ fields }: Sheet, canvas: Canvas): string {
  const shown = fields.filter(([, value]) => textOf(value) !== '')
  const width = Math.max(0, ...shown.map(([name]) => widthOf(name)))
  return lines(shown.map(([name, value]) => `${painted({ text: name, tone: 'faint' }, width, canvas)}${GAP}${painted(value, 0, canvas)}`))
}

/** The widths of as many columns as have room; the first says what a row is about, and what comes later matters less. */
function fitted(wanted: readonly number[], available = Number.POSITIVE_INFINITY): number[] {
  let widths = narrowed(wanted, available)
  for (let room = available; lengthOf(widths) > room && widths.length > 2; ) {
    room = available - MORE.length
    widths = narrowed(wanted.slice(0, widths.length - 1), room)
  }
  return widths
}

/** The widest columns but the first give way, until a line fits or none is wide. */
function narrowed(wanted: readonly number[], available: number): number[] {
  const widths = [...wanted]
  for (let excess = lengthOf(widths) - available; excess > 0; ) {
    const widest = Math.max(...widths.slice(1))
    if (!(widest > NARROW)) break
    const column = widths.lastIndexOf(widest)
    const cutBy = Math.min(excess, Math.max(1, widest - Math.max(NARROW, ...widths.slice(1).filter((width) => width < widest))))
    widths[column] = widest - cutBy
    excess -= cutBy
  }
  return widths
}

function lengthOf(widths: readonly number[]): number {
  return sum(widths) + GAP.length * (widths.length - 1)
}

/** A cell in so many places (0: as many as it takes). */
function painted(cell: Cell, width: number, { hasColour }: Canvas): string {
  const text = width > 0 ? cut(written(cell), width) : written(cell)
  const space = ' '.repeat(Math.max(0, width - widthOf(text)))
  if (!hasColour || typeof cell !== 'object' || cell === null) return text + space
  return `\x1b[${COLOURS[cell.tone]}m${text}\x1b[0m${space}`
}

function written(cell: Cell): string {
  return sanitize(textOf(cell))
}

function lines(texts: readonly string[]): string {
  return texts.map((text) => `${text.trimEnd()}\n`).join('')
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0)
}
