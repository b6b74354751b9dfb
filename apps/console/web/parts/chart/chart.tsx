import { Box } from '@mantine/core'
import { Figure, FigureTable, Label, LabelAxis, type LegendEntry, labelWidth, PointedValues, usePlaces } from './figure.js'
import { ticks } from './scale.js'

interface Series extends LegendEntry {
  /** One value a label; where nothing is known, nothing is drawn. */
  readonly values: readonly (number | undefined)[]
}

interface ChartProps {
  title: string
  kind: 'line' | 'bars'
  labels: readonly string[]
  series: readonly Series[]
  /** How a value is written. */
  format?: (value: number) => string
  height?: number
}

const MARGIN = { right: 12, top: 10, bottom: 24 }
const LEFT = 56
const plain = (value: number) => new Intl.NumberFormat('en', { maximumSignificantDigits: 4 }).format(value)

/** Values over time. */
export function Chart(props: ChartProps) {
  const { title, labels, series, format = plain } = props
  const write = (value: number | undefined) => (value === undefined ? '–' : format(value))
  const columns = series.map(({ name, values }) => ({ name, texts: labels.map((_, index) => write(values[index])) }))
  return (
    <Figure
      title={title}
      legend={series.length > 1 ? series : []}
      picture={<Picture {...props} format={format} />}
      table={<FigureTable title={title} labels={labels} columns={columns} />}
    />
  )
}

function Picture({ title, kind, labels, series, format = plain, height = 200 }: ChartProps) {
  const values = series.flatMap((each) => each.values).filter((value) => value !== undefined)
  const steps = ticks(Math.max(0, ...values))
  const left = Math.max(LEFT, ...steps.map((step) => labelWidth(format(step)) + 12))
  const places = usePlaces(labels.length, { ...MARGIN, left })
  const { ref, width, slot, x, pointed, pointing } = places
  const top = steps.at(-1) || 1
  const y = (value: number) => MARGIN.top + (height - MARGIN.top - MARGIN.bottom) * (1 - value / top)
  const shown =
    pointed === undefined
      ? undefined
      : series.map(({ name, values }) => `${name} ${values[pointed] === undefined ? '–' : format(values[pointed])}`)
  return (
    <Box ref={ref}>
      <svg width={width} height={height} role="img" aria-label={title} {...pointing}>
        {steps.map((step) => (
          <g key={step}>
            <line x1={left} x2={width - MARGIN.right} y1={y(step)} y2={y(step)} stroke="var(--mantine-color-default-border)" />
            <Label x={left - 6} y={y(step) + 4} anchor="end" text={format(step)} />
          </g>
        ))}
        <LabelAxis labels={labels} y={height - 6} places={places} />
        {pointed !== undefined && (
          <line x1={x(pointed)} x2={x(pointed)} y1={MARGIN.top} y2={height - MARGIN.bottom} stroke="var(--mantine-color-dimmed)" />
        )}
        {series.map((each, order) =>
          kind === 'line' ? (
            <polyline key={each.name} fill="none" stroke={each.color} strokeWidth={2} points={pointsOf(each, x, y)} />
          ) : (
            <Bars key={each.name} series={each} slot={slot} place={{ order, of: series.length, x, y }} />
          ),
        )}
      </svg>
      <PointedValues text={pointed === undefined ? undefined : `${labels[pointed]}: ${shown?.join(', ')}`} />
    </Box>
  )
}

interface Place {
  order: number
  of: number
  x: (index: number) => number
  y: (value: number) => number
}

function Bars({ series, slot, place: { order, of, x, y } }: { series: Series; slot: number; place: Place }) {
  const width = Math.max((slot * 0.8) / of, 1)
  return series.values.map((value = 0, index) => {
    const left = x(index) - slot * 0.4 + order * width
    return <rect key={index} x={left} y={y(value)} width={width} height={Math.max(y(0) - y(value), 0)} fill={series.color} rx={1} />
  })
}

function pointsOf({ values }: Series, x: Place['x'], y: Place['y']): string {
  return values.flatMap((value, index) => (value === undefined ? [] : [`${x(index)},${y(value)}`])).join(' ')
}
