// biome-ignore-all lint/a11y/useSemanticElements: rows of a long table stand where they are put, as those of a <table> do not
// biome-ignore-all lint/a11y/useFocusableInteractive: only rows of a grid, which one may choose, are to be focused
import './data-table.css'
import { Button, Center, Table, Text } from '@mantine/core'
import { useVirtualizer } from '@tanstack/react-virtual'
import { type CSSProperties, memo, type ReactNode, useEffect, useEffectEvent, useRef } from 'react'
import { partsTexts } from '../texts/parts.js'

export interface Column<T> {
  readonly name: string
  readonly header: ReactNode
  readonly cell: (row: T) => ReactNode
  /** A CSS grid track such as `120px` or `2fr`. */
  readonly width?: string
  readonly align?: 'right'
}

interface DataTableProps<T> {
  label: string
  rows: readonly T[]
  columns: readonly Column<T>[]
  keyOf: (row: T) => string
  empty?: ReactNode
  /** There is more to be had. */
  more?: { load: () => unknown; loading: boolean }
  minWidth?: number
}

const FEW = 100
const ROW_HEIGHT = 44
const OVERSCAN = 6

/** A table of any length: a long one keeps only the rows in sight in the page. */
export function DataTable<T>(props: DataTableProps<T>) {
  const { rows, empty = partsTexts.noRows, more } = props
  if (rows.length === 0) return typeof empty === 'string' ? <Text c="dimmed">{empty}</Text> : empty
  return (
    <>
      {rows.length <= FEW ? <ShortTable {...props} /> : <LongTable {...props} />}
      {more && (
        <Center mt="sm">
          <Button variant="default" onClick={() => void more.load()} loading={more.loading}>
            {partsTexts.more}
          </Button>
        </Center>
      )}
    </>
  )
}

function ShortTable<T>({ label, rows, columns, keyOf, minWidth = 560 }: DataTableProps<T>) {
  return (
    <Table.ScrollContainer minWidth={minWidth} scrollAreaProps={{ viewportProps: { tabIndex: 0 } }}>
      <Table aria-label={label} highlightOnHover verticalSpacing="xs">
        <Table.Thead>
          <Table.Tr>
            {columns.map(({ name, header, align, width }) => (
              <Table.Th key={name} ta={align} w={width?.endsWith('px') ? width : undefined}>
                {header}
              </Table.Th>
            ))}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {rows.map((row) => (
            <Table.Tr key={keyOf(row)}>
              {columns.map(({ name, cell, align }) => (
                <Table.Td key={name} ta={align}>
                  {cell(row)}
                </Table.Td>
              ))}
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Table.ScrollContainer>
  )
}

function LongTable<T>({ label, rows, columns, keyOf, more, minWidth = 560 }: DataTableProps<T>) {
  const scroller = useRef<HTMLDivElement>(null)
  const virtual = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => ROW_HEIGHT,
    overscan: OVERSCAN,
  })
  useMoreAtEnd((virtual.range?.endIndex ?? 0) >= rows.length - OVERSCAN, rows.length, more)
  const sizes = {
    '--columns': columns.map(({ width = '1fr' }) => width).join(' '),
    '--min-width': `${minWidth}px`,
    '--row-height': `${ROW_HEIGHT}px`,
  }
  return (
    <div
      ref={scroller}
      className="long-table"
      style={sizes as CSSProperties}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls has to be within the keyboard's reach (WCAG 2.2, 2.1.1)
      tabIndex={0}
      role="table"
      aria-label={label}
      aria-rowcount={rows.length + 1}
    >
      <div role="row" aria-rowindex={1} className="long-table-row long-table-head">
        {columns.map(({ name, header, align }) => (
          <div key={name} role="columnheader" data-align={align}>
            {header}
          </div>
        ))}
      </div>
      <div role="rowgroup" className="long-table-body" style={{ height: virtual.getTotalSize() }}>
        {virtual.getVirtualItems().map(({ index }) => {
          const row = rows[index] as T
          return <LongRow key={keyOf(row)} row={row} index={index} columns={columns as readonly Column<unknown>[]} />
        })}
      </div>
    </div>
  )
}

interface LongRowProps {
  row: unknown
  index: number
  columns: readonly Column<unknown>[]
}

/** Drawn once for as long as it is in sight, whatever passes by. */
const LongRow = memo(({ row, index, columns }: LongRowProps) => (
  <div role="row" aria-rowindex={index + 2} className="long-table-row" style={{ transform: `translateY(${index * ROW_HEIGHT}px)` }}>
    {columns.map(({ name, cell, align }) => (
      <div key={name} role="cell" data-align={align}>
        {cell(row)}
      </div>
    ))}
  </div>
))

/** Who has read on to the end of a long table gets more without asking. After a failure one has to ask. */
function useMoreAtEnd(isAtEnd: boolean, known: number, more: DataTableProps<unknown>['more']): void {
  const load = useEffectEvent(() => void (more && !more.loading && more.load()))
  // With every page that has come, too: the end may still be in sight.
  useEffect(() => {
    if (isAtEnd) load()
  }, [isAtEnd, known])
}
