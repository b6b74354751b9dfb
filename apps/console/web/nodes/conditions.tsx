import { Badge, Stack, Text } from '@mantine/core'
import type { Condition } from '@trestle/contracts/nodes/shapes'
import { type Column, DataTable } from '../parts/data-table.js'
import { SectionTitle } from '../parts/panel.js'
import { Time } from '../parts/time.js'
import { nodesTexts } from '../texts/nodes.js'

const texts = nodesTexts.page
const COLORS = { true: 'teal', false: 'orange', unknown: 'gray' }

const COLUMNS: Column<Condition>[] = [
  { name: 'condition', header: texts.columns.condition, width: '170px', cell: ({ type }) => nodesTexts.conditions[type] },
  {
    name: 'status',
    header: texts.columns.status,
    width: '150px',
    cell: ({ status }) => (
      <Badge variant="dot" tt="none" color={COLORS[status]}>
        {nodesTexts.statuses[status]}
      </Badge>
    ),
  },
  { name: 'why', header: texts.columns.why, cell: (condition) => <Why {...condition} /> },
  { name: 'since', header: texts.columns.since, width: '140px', cell: ({ since }) => <Time value={since} /> },
]

/** Conditions for being ready, each with its reason and since when it holds. */
export function Conditions({ conditions }: { conditions: readonly Condition[] }) {
  return (
    <Stack gap="xs">
      <SectionTitle>{texts.conditions}</SectionTitle>
      <Text c="dimmed" size="sm">
        {texts.conditionsText}
      </Text>
      <DataTable
        label={texts.conditions}
        rows={conditions}
        columns={COLUMNS}
        keyOf={({ type }) => type}
        empty={texts.noConditions}
        minWidth={640}
      />
    </Stack>
  )
}

function Why({ reason, message }: Condition) {
  return (
    <>
      <Text span className="mono">
        {reason}
      </Text>
      {message && <Text size="sm">{message}</Text>}
    </>
  )
}
