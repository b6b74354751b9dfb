import { Group, Switch, Text } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import type { Activity } from '@trestle/contracts/activity'
import { useMemo, useState } from 'react'
import { DownloadButton } from '../parts/download-button.js'
import { EmptyState } from '../parts/empty-state.js'
import { Loaded } from '../parts/loaded.js'
import { PageLayout } from '../parts/page-layout.js'
import { activityTexts as texts } from '../texts/activity.js'
import { ActivityDetails } from './activity-details.js'
import { ActivityFilters } from './activity-filters.js'
import { type ActivityFilter, filterRecords, NO_FILTER, toCsv } from './activity-record.js'
import { ActivityTable } from './activity-table.js'
import { type TimeRange, useActivity } from './use-activity.js'

/** Everything done in the user's name. */
export default function ActivityPage() {
  const [range, setRange] = useState<TimeRange>({ from: '', to: '' })
  const [filter, setFilter] = useState<ActivityFilter>(NO_FILTER)
  const [live, setLive] = useState(false)
  const [chosen, setChosen] = useState<Activity>()
  const [opened, { open, close }] = useDisclosure()
  const { query, more } = useActivity(range, live)
  const shown = useMemo(() => filterRecords(query.data ?? [], filter), [query.data, filter])
  function choose(record: Activity) {
    setChosen(record)
    open()
  }
  return (
    <PageLayout title={texts.title} description={texts.description}>
      <ActivityFilters range={range} onRange={setRange} filter={filter} onFilter={setFilter} />
      <Group justify="space-between">
        <Switch
          label={texts.live}
          description={texts.liveHint}
          checked={live && !range.to}
          disabled={range.to !== ''}
          onChange={(event) => setLive(event.currentTarget.checked)}
        />
        <Saving shown={shown} loaded={query.data?.length ?? 0} />
      </Group>
      <Loaded query={query} rows={8}>
        {(rows) =>
          rows.length === 0 ? (
            <EmptyState title={texts.none} text={texts.noneText} />
          ) : (
            <ActivityTable rows={shown} more={more} onChoose={choose} />
          )
        }
      </Loaded>
      <ActivityDetails record={chosen} opened={opened} onClose={close} />
    </PageLayout>
  )
}

function Saving({ shown, loaded }: { shown: readonly Activity[]; loaded: number }) {
  const disabled = shown.length === 0
  return (
    <Group gap="xs" role="group" aria-label={texts.download}>
      <Text size="sm" c="dimmed" aria-live="polite">
        {texts.shown(shown.length, loaded)}
      </Text>
      <DownloadButton fileName="activity.csv" type="text/csv" text={() => toCsv(shown)} disabled={disabled}>
        {texts.csv}
      </DownloadButton>
      <DownloadButton fileName="activity.json" type="application/json" text={() => JSON.stringify(shown, null, 2)} disabled={disabled}>
        {texts.json}
      </DownloadButton>
    </Group>
  )
}
