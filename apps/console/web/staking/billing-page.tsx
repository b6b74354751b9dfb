import { Anchor, Group, SegmentedControl, Stack, Text, TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Problem } from '@trestle/problem/problem'
import { Link, useSearchParams } from 'react-router'
import { utcDay } from '../parts/days.js'
import { DownloadButton } from '../parts/download-button.js'
import { EmptyState } from '../parts/empty-state.js'
import { Loaded } from '../parts/loaded.js'
import { PageLayout } from '../parts/page-layout.js'
import { stakingTexts } from '../texts/staking.js'
import { type BillingDays, billingDays, billingPresets, billingSearch, isBackwards } from './billing-days-form.js'
import { readBilling, readBillingCsv } from './billing-report.client.js'
import { BillingTables } from './billing-tables.js'

const texts = stakingTexts.bill

/** What the validators of all users have earned, for auditors. The address of the page keeps the days. */
export function BillingPage() {
  const [search] = useSearchParams()
  const range = billingDays(search, utcDay(new Date()))
  const isRight = !isBackwards(range)
  const query = useQuery({
    queryKey: ['staking', 'billing', range.fromDate, range.toDate],
    queryFn: () => readBilling(range),
    enabled: isRight,
    staleTime: 30_000,
  })
  const mayNot = query.error instanceof Problem && query.error.code === 'MissingRole'
  return (
    <PageLayout title={texts.title} description={texts.description} above={[{ to: '/app/staking', label: stakingTexts.title }]}>
      {mayNot ? (
        <EmptyState title={texts.noRole.title} text={texts.noRole.text}>
          <Anchor component={Link} to="/app/organization">
            {texts.noRole.link}
          </Anchor>
        </EmptyState>
      ) : (
        <Stack>
          <Days {...range} />
          {isRight && (
            <Loaded query={query} rows={6}>
              {(entries) => (entries.length === 0 ? <EmptyState {...texts.empty} /> : <BillingTables entries={entries} />)}
            </Loaded>
          )}
        </Stack>
      )}
    </PageLayout>
  )
}

function Days(range: BillingDays) {
  const { fromDate, toDate } = range
  const [, setSearch] = useSearchParams()
  const { names, selected, daysOf } = billingPresets(range, utcDay(new Date()))
  function show(days: BillingDays) {
    const search = billingSearch(days)
    if (search) setSearch(search, { replace: true })
  }
  const backwards = isBackwards(range)
  return (
    <Stack gap="sm">
      <SegmentedControl
        aria-label={stakingTexts.earnings.range}
        data={names.map((value) => ({ value, label: texts.ranges[value] }))}
        value={selected ?? ''}
        onChange={(value) => value && show(daysOf(value))}
        style={{ alignSelf: 'flex-start', flexWrap: 'wrap' }}
      />
      <Group align="flex-end">
        <TextInput
          type="date"
          label={texts.from}
          value={fromDate}
          onChange={(event) => show({ ...range, fromDate: event.currentTarget.value })}
          required
        />
        <TextInput
          type="date"
          label={texts.to}
          value={toDate}
          onChange={(event) => show({ ...range, toDate: event.currentTarget.value })}
          required
        />
        <Downloads range={range} disabled={backwards} />
      </Group>
      <Text c="red" role="alert" mih={backwards ? 24 : 0}>
        {backwards && texts.backwards}
      </Text>
    </Stack>
  )
}

function Downloads({ range, disabled }: { range: BillingDays; disabled: boolean }) {
  const file = `billing-${range.fromDate}-${range.toDate}`
  const json = async () => JSON.stringify(await readBilling(range), null, 2)
  return (
    <>
      <DownloadButton fileName={`${file}.csv`} type="text/csv" text={() => readBillingCsv(range)} disabled={disabled}>
        {texts.csv}
      </DownloadButton>
      <DownloadButton fileName={`${file}.json`} type="application/json" text={json} disabled={disabled}>
        {texts.json}
      </DownloadButton>
    </>
  )
}
