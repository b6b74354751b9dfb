import { Button, Group, Text } from '@mantine/core'
import type { Activity } from '@trestle/contracts/activity'
import { formatBytes } from '../parts/amount.js'
import { type Column, DataTable } from '../parts/data-table.js'
import { Tag } from '../parts/tag.js'
import { Time } from '../parts/time.js'
import { activityTexts as texts } from '../texts/activity.js'
import { activityOutcome, recordedMethod, recordedMs, recordedRoute } from './activity-record.js'

const COLOR = { good: 'teal', refused: 'orange', failed: 'red' }

interface ActivityTableProps {
  rows: readonly Activity[]
  more?: { load: () => unknown; loading: boolean }
  onChoose: (record: Activity) => void
}

export function ActivityTable({ rows, more, onChoose }: ActivityTableProps) {
  const columns: readonly Column<Activity>[] = [
    { name: 'when', header: texts.when, cell: ({ createdAt }) => <Time value={createdAt} />, width: '130px' },
    { name: 'service', header: texts.area, cell: ({ service }) => service, width: '100px' },
    { name: 'call', header: texts.call, cell: (record) => <Call record={record} />, width: '3fr' },
    { name: 'outcome', header: texts.outcome, cell: (record) => <OutcomeTag record={record} />, width: '170px' },
    {
      name: 'took',
      header: texts.took,
      cell: (record) => texts.milliseconds(recordedMs(record)),
      width: '90px',
      align: 'right',
    },
    { name: 'size', header: texts.size, cell: ({ output }) => formatBytes(output.bytesOut), width: '90px', align: 'right' },
    {
      name: 'details',
      header: texts.details,
      cell: (record) => <Choose record={record} onChoose={onChoose} />,
      width: '100px',
      align: 'right',
    },
  ]
  return (
    <DataTable
      label={texts.title}
      rows={rows}
      columns={columns}
      keyOf={({ id }) => id}
      more={more}
      minWidth={920}
      empty={
        <>
          <Text c="dimmed">{texts.noMatch}</Text>
          {more && <More {...more} />}
        </>
      }
    />
  )
}

function More({ load, loading }: { load: () => unknown; loading: boolean }) {
  return (
    <Group>
      <Button variant="default" loading={loading} onClick={() => void load()}>
        {texts.loadMore}
      </Button>
    </Group>
  )
}

function Call({ record }: { record: Activity }) {
  return (
    <>
      <code className="code">{recordedMethod(record)}</code>{' '}
      <span className="mono" title={recordedRoute(record)}>
        {recordedRoute(record)}
      </span>
    </>
  )
}

export function OutcomeTag({ record }: { record: Activity }) {
  const outcome = activityOutcome(record)
  return (
    <Tag color={COLOR[outcome]}>
      {record.output.httpStatusCode} {texts.outcomes[outcome]}
    </Tag>
  )
}

function Choose({ record, onChoose }: { record: Activity; onChoose: (record: Activity) => void }) {
  return (
    <button
      type="button"
      className="text-button"
      onClick={() => onChoose(record)}
      aria-label={texts.detailsOf(`${recordedMethod(record)} ${recordedRoute(record)}`)}
    >
      {texts.details}
    </button>
  )
}
