import { Group, Switch, Text } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { useMemo, useState } from 'react'
import { DownloadButton } from '../parts/download-button.js'
import { EmptyState } from '../parts/empty-state.js'
import { Loaded } from '../parts/loaded.js'
import { PageLayout } from '../parts/page-layout.js'
import { activityTexts as texts } from '../texts/activity.js'
import { ActivityDetails } from './activity-details.js'
import { ActivityFilters } from './activity-filters.js'
import { type ActivityFilter, filterRecords, type ListedActivity, NO_FILTER, toCsv } from './activity-record.js'
import { ActivitySourceChoice } from './activity-source-choice.js'
import { ActivityTable } from './activity-table.js'
import { type ActivitySource, OWN_ACTIVITY, type TimeRange, useActivity } from './use-activity.js'

/** Everything done in the user's name, or in that of the organization that the pages are about. */
export default function ActivityPage() {
  const [source, setSource] = useState<ActivitySource>(OWN_ACTIVITY)
  const [range, setRange] = useState<TimeRange>({ from: '', to: '' })
  const [filter, setFilter] = useState<ActivityFilter>(NO_FILTER)
  const [live, setLive] = useState(false)
  const [chosen, setChosen] = useState<ListedActivity>()
  const [opened, { open, close }] = useDisclosure()
  const { query, more } = useActivity(source, range, live)
  const shown = useMemo(() => filterRecords(query.data ?? [], filter), [query.data, filter])
  function choose(record: ListedActivity) {
    setChosen(record)
    open()
  }
  return (
    <PageLayout title={texts.title} description={source.of === 'own' ? texts.description : texts.organizationDescription}>
      <ActivitySourceChoice source={source} onChange={setSource} />
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
            <ActivityTable rows={shown} isShared={source.of === 'organization'} more={more} onChoose={choose} />
          )
        }
      </Loaded>
      <ActivityDetails record={chosen} opened={opened} onClose={close} />
    </PageLayout>
  )
}

function Saving({ shown, loaded }: { shown: readonly ListedActivity[]; loaded: number }) {
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
