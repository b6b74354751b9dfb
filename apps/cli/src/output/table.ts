import { type Cell, type Sheet, type Table, type Tone, textOf, type View } from './view.js'
import { cut, sanitize, widthOf } from './width.js'

export interface Canvas {
  /** Columns of the terminal; undefined for a pipe or a file. */
  readonly width?: number
  readonly hasColour: boolean
}

const GAP = '  '
/** Follows the titles if columns are left out. */
const MORE = ' …'
const NARROW = 8
const COLOURS: Readonly<Record<Tone, number>> = { good: 32, bad: 31, wait: 33, faint: 2 }

/** A view as lines of text. */
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
  // Not Math.max(...rows): a call takes some 100,000 arguments, and a table may have more rows.
  const natural = head.map((title, column) => rows.reduce((max, row) => Math.max(max, widthOf(written(row[column]))), widthOf(title)))
  const widths = fitted(natural, canvas.width)
  const line = (row: readonly Cell[]) => widths.map((width, column) => painted(row[column], width, canvas)).join(GAP)
  const first = widths.length < head.length ? `${line(titles)}${MORE}` : line(titles)
  return lines([first, ...rows.map(line)])
}

function renderSheet({ fields }: Sheet, canvas: Canvas): string {
  const shown = fields.filter(([, value]) => textOf(value) !== '')
  const width = Math.max(0, ...shown.map(([name]) => widthOf(name)))
  return lines(shown.map(([name, value]) => `${painted({ text: name, tone: 'faint' }, width, canvas)}${GAP}${painted(value, 0, canvas)}`))
}

/** The widths of as many columns as fit. The first one identifies the row; the last ones matter least. */
function fitted(natural: readonly number[], available = Number.POSITIVE_INFINITY): number[] {
  let widths = narrowed(natural, available)
  for (let room = available; lengthOf(widths) > room && widths.length > 2; ) {
    room = available - MORE.length
    widths = narrowed(natural.slice(0, widths.length - 1), room)
  }
  return widths
}

/** Narrows the widest columns except the first, until a line fits or none is wider than NARROW. */
function narrowed(natural: readonly number[], available: number): number[] {
  const widths = [...natural]
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

/** A cell padded or cut to a width; 0 leaves it as wide as it is. */
function painted(cell: Cell, width: number, { hasColour }: Canvas): string {
  const text = width > 0 ? cut(written(cell), width) : written(cell)
  const space = ' '.repeat(Math.max(0, width - widthOf(text)))
  if (!hasColour || typeof cell !== 'object' || cell === null) return text + space
  return `\x1b[${COLOURS[cell.tone]}m${text}\x1b[0m${space}`
}

function written(cell: Cell): string {
  // A tab has no width that could be padded.
  return sanitize(textOf(cell)).replaceAll('\t', ' ')
}

function lines(texts: readonly string[]): string {
  return texts.map((text) => `${text.trimEnd()}\n`).join('')
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0)
}
