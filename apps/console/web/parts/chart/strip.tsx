import { Box } from '@mantine/core'
import { keysOf } from '../keys.js'
import { Figure, FigureTable, Label, LabelAxis, PointedValues, usePlaces } from './figure.js'

/** How it went; `none`: there was nothing to do, `unknown`: nobody knows. */
export type StripState = 'good' | 'some' | 'bad' | 'none' | 'unknown'

interface StripRow {
  readonly name: string
  /** One a label. */
  readonly cells: readonly { readonly state: StripState; readonly text: string }[]
}

interface StripProps {
  title: string
  labels: readonly string[]
  rows: readonly StripRow[]
  /** What a state is called. */
  states: Readonly<Record<StripState, string>>
}

const MARGIN = { left: 108, right: 12, bottom: 24 }
const ROW = 30
const CELL = 22

const COLORS: Readonly<Record<StripState, string>> = {
  good: 'var(--mantine-color-teal-6)',
  some: 'var(--mantine-color-yellow-5)',
  bad: 'var(--mantine-color-red-6)',
  none: 'var(--mantine-color-default-border)',
  unknown: 'var(--mantine-color-dimmed)',
}

/** How something went over time, of several kinds: the worse, the higher a cell, so that it can be read without colours. */
export function Strip({ title, labels, rows, states }: StripProps) {
  const shown = keysOf(COLORS).filter((state) => rows.some(({ cells }) => cells.some((cell) => cell.state === state)))
  return (
    <Figure
      title={title}
      legend={shown.map((state) => ({ name: states[state], color: COLORS[state], isOutline: state === 'unknown' }))}
      picture={<Picture title={title} labels={labels} rows={rows} />}
      table={
        <FigureTable
          title={title}
          labels={labels}
          columns={rows.map(({ name, cells }) => ({ name, texts: cells.map(({ text }) => text) }))}
        />
      }
    />
  )
}

function Picture({ title, labels, rows }: Omit<StripProps, 'states'>) {
  const places = usePlaces(labels.length, MARGIN)
  const { ref, width, slot, x, pointed, pointing } = places
  const height = rows.length * ROW + MARGIN.bottom
  const said = pointed === undefined ? [] : rows.map(({ name, cells }) => `${name} ${cells[pointed]?.text}`)
  return (
    <Box ref={ref}>
      <svg width={width} height={height} role="img" aria-label={title} {...pointing}>
        {rows.map(({ name, cells }, row) => (
          <g key={name}>
            <Label x={MARGIN.left - 8} y={row * ROW + ROW / 2 + 4} anchor="end" text={name} />
            {cells.map(({ state }, index) => (
              <Cell key={index} state={state} x={x(index)} y={row * ROW + ROW / 2} width={Math.max(slot * 0.86, 1)} />
            ))}
          </g>
        ))}
        <LabelAxis labels={labels} y={height - 6} places={places} />
      </svg>
      <PointedValues text={pointed === undefined ? undefined : `${labels[pointed]}: ${said.join(', ')}`} />
    </Box>
  )
}

const HEIGHTS: Readonly<Record<StripState, number>> = { good: CELL * 0.5, some: CELL * 0.75, bad: CELL, none: 2, unknown: CELL * 0.5 }

function Cell({ state, x, y, width }: { state: StripState; x: number; y: number; width: number }) {
  const height = HEIGHTS[state]
  const look = state === 'unknown' ? { fill: 'none', stroke: COLORS.unknown, strokeDasharray: '2 2' } : { fill: COLORS[state] }
  return <rect x={x - width / 2} y={y - height / 2} width={width} height={height} rx={2} {...look} />
}
