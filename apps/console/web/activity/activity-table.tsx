import { Button, Group, Text } from '@mantine/core'
import type { Activity } from '@trestle/contracts/activity'
import { formatBytes } from '../parts/amount.js'
import { type Column, DataTable } from '../parts/data-table.js'
import { Tag } from '../parts/tag.js'
import { Time } from '../parts/time.js'
import { activityTexts as texts } from '../texts/activity.js'
import { activityOutcome, authorText, type ListedActivity, recordedMethod, recordedMs, recordedRoute } from './activity-record.js'

const COLOR = { good: 'teal', refused: 'orange', failed: 'red' }

interface ActivityTableProps {
  rows: readonly ListedActivity[]
  /** Whether the records say whose they are. */
  isShared?: boolean
  more?: { load: () => unknown; loading: boolean }
  onChoose: (record: ListedActivity) => void
}

export function ActivityTable({ rows, isShared, more, onChoose }: ActivityTableProps) {
  const who: Column<ListedActivity> = { name: 'who', header: texts.who, cell: (record) => <Author record={record} />, width: '2fr' }
  const size: Column<ListedActivity> = {
    name: 'size',
    header: texts.size,
    cell: ({ output }) => formatBytes(output.bytesOut),
    width: '90px',
    align: 'right',
  }
  const columns: readonly Column<ListedActivity>[] = [
    { name: 'when', header: texts.when, cell: ({ createdAt }) => <Time value={createdAt} />, width: '130px' },
    ...(isShared ? [who] : []),
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
    ...(isShared ? [] : [size]),
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
      minWidth={isShared ? 980 : 920}
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

function Author({ record }: { record: ListedActivity }) {
  return (
    <Text span inherit title={authorText(record)}>
      {record.by ? (record.by.displayName ?? texts.deletedAccount) : texts.calls}
      {record.by?.former && record.by.displayName && ` (${texts.former})`}
      {record.by?.clientKey && `, ${texts.byKey(record.by.clientKey)}`}
    </Text>
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

function Choose({ record, onChoose }: { record: Activity; onChoose: (record: ListedActivity) => void }) {
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
