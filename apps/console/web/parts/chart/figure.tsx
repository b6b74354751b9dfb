import { Box, Button, Group, Stack, Table, Text, Title } from '@mantine/core'
import { useElementSize } from '@mantine/hooks'
import { type PointerEvent, type ReactNode, useState } from 'react'
import { partsTexts } from '../../texts/parts.js'
import { spread } from './scale.js'

/** What a colour stands for. */
export interface LegendEntry {
  readonly name: string
  readonly color: string
  /** Drawn as its edge alone. */
  readonly isOutline?: boolean
}

interface FigureProps {
  title: string
  legend: readonly LegendEntry[]
  picture: ReactNode
  table: ReactNode
}

/** A picture, and the same as a table for whoever would rather read it. */
export function Figure({ title, legend, picture, table }: FigureProps) {
  const [asTable, setAsTable] = useState(false)
  return (
    <Stack gap="xs" component="figure" m={0}>
      <Group justify="space-between" gap="xs">
        <Title order={3} size="h5" component="figcaption">
          {title}
        </Title>
        <Group gap="sm">
          {legend.map((each) => (
            <Legend key={each.name} {...each} />
          ))}
          <Button size="compact-xs" variant="subtle" onClick={() => setAsTable(!asTable)}>
            {asTable ? partsTexts.asChart : partsTexts.asTable}
          </Button>
        </Group>
      </Group>
      {asTable ? table : picture}
    </Stack>
  )
}

function Legend({ name, color, isOutline }: LegendEntry) {
  return (
    <Group gap={6}>
      <Box w={10} h={10} style={{ borderRadius: 2, ...(isOutline ? { border: `1px dashed ${color}` } : { background: color }) }} />
      <Text size="xs">{name}</Text>
    </Group>
  )
}

/** Where the labels of a picture are, and which of them is pointed at. */
export function usePlaces(count: number, { left, right }: { left: number; right: number }) {
  const { ref, width } = useElementSize()
  const [pointed, setPointed] = useState<number>()
  const slot = Math.max(width - left - right, 1) / Math.max(count, 1)
  const pointing = {
    onPointerLeave: () => setPointed(undefined),
    onPointerMove: (event: PointerEvent<SVGSVGElement>) => {
      const index = Math.floor((event.clientX - event.currentTarget.getBoundingClientRect().left - left) / slot)
      setPointed(index >= 0 && index < count ? index : undefined)
    },
  }
  return { ref, width, slot, x: (index: number) => left + slot * (index + 0.5), pointed, pointing }
}

/** The labels along the bottom, as many as have room. */
export function LabelAxis({ labels, y, places }: { labels: readonly string[]; y: number; places: ReturnType<typeof usePlaces> }) {
  const { slot, width, x } = places
  return spread(labels.length, Math.max(2, Math.floor((slot * labels.length) / 120))).map((index) => (
    <Label key={index} x={inside(x(index), labels[index], width)} y={y} anchor="middle" text={labels[index] ?? ''} />
  ))
}

export function Label({ x, y, anchor, text }: { x: number; y: number; anchor: 'end' | 'middle'; text: string }) {
  return (
    <text x={x} y={y} textAnchor={anchor} fontSize={11} fill="var(--mantine-color-dimmed)">
      {text}
    </text>
  )
}

/** About what a label takes. */
export function labelWidth(label = ''): number {
  return label.length * 6
}

/** The middle of a label, moved as far as it takes to keep its end in the picture. */
function inside(x: number, label: string | undefined, width: number): number {
  const half = labelWidth(label) / 2
  return Math.min(x, width - half)
}

/** What the pointer is on, in words. */
export function PointedValues({ text }: { text: string | undefined }) {
  return (
    <Text size="xs" mih={18} aria-live="polite">
      {text}
    </Text>
  )
}

interface FigureTableProps {
  title: string
  labels: readonly string[]
  /** A text a label. */
  columns: readonly { readonly name: string; readonly texts: readonly string[] }[]
}

export function FigureTable({ title, labels, columns }: FigureTableProps) {
  return (
    <Table.ScrollContainer minWidth={320} mah={320} scrollAreaProps={{ viewportProps: { tabIndex: 0 } }}>
      <Table aria-label={title} stickyHeader>
        <Table.Thead>
          <Table.Tr>
            <Table.Td />
            {columns.map(({ name }) => (
              <Table.Th key={name} ta="right">
                {name}
              </Table.Th>
            ))}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {labels.map((label, index) => (
            <Table.Tr key={label}>
              <Table.Th scope="row">{label}</Table.Th>
              {columns.map(({ name, texts }) => (
                <Table.Td key={name} ta="right">
                  {texts[index]}
                </Table.Td>
              ))}
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Table.ScrollContainer>
  )
}
