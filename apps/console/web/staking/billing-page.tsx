import { Anchor, Group, SegmentedControl, Stack, Text, TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Problem } from '@trestle/problem/problem'
import { Link, useSearchParams } from 'react-router'
import { billingRanges, utcDay } from '../parts/days.js'
import { DownloadButton } from '../parts/download-button.js'
import { EmptyState } from '../parts/empty-state.js'
import { Loaded } from '../parts/loaded.js'
import { PageLayout } from '../parts/page-layout.js'
import { stakingTexts } from '../texts/staking.js'
import { type BillingRange, readBilling, readBillingCsv } from './billing-report.client.js'
import { BillingTables } from './billing-tables.js'

const texts = stakingTexts.bill

/** What everybody's validators have earned, for whoever may see it. The address of the page keeps the days. */
export function BillingPage() {
  const range = useRange()
  const isRight = range.fromDate <= range.toDate
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

function useRange(): BillingRange {
  const [search] = useSearchParams()
  const [from, to] = billingRanges(utcDay(new Date())).thisMonth
  return { fromDate: search.get('from') ?? from, toDate: search.get('to') ?? to }
}

function Days(range: BillingRange) {
  const { fromDate, toDate } = range
  const [, setSearch] = useSearchParams()
  const look = (from: string, to: string) => from !== '' && to !== '' && setSearch({ from, to }, { replace: true })
  const ranges = billingRanges(utcDay(new Date()))
  const names = Object.keys(ranges) as (keyof typeof ranges)[]
  const name = names.find((each) => ranges[each][0] === fromDate && ranges[each][1] === toDate) ?? ''
  const isBackwards = fromDate > toDate
  const file = `billing-${fromDate}-${toDate}`
  return (
    <Stack gap="sm">
      <SegmentedControl
        aria-label={stakingTexts.earnings.range}
        data={names.map((value) => ({ value, label: texts.ranges[value] }))}
        value={name}
        onChange={(value) => look(...ranges[value as keyof typeof ranges])}
        style={{ alignSelf: 'flex-start', flexWrap: 'wrap' }}
      />
      <Group align="flex-end">
        <TextInput type="date" label={texts.from} value={fromDate} onChange={(event) => look(event.currentTarget.value, toDate)} required />
        <TextInput type="date" label={texts.to} value={toDate} onChange={(event) => look(fromDate, event.currentTarget.value)} required />
        <DownloadButton fileName={`${file}.csv`} type="text/csv" text={() => readBillingCsv(range)} disabled={isBackwards}>
          {texts.csv}
        </DownloadButton>
        <DownloadButton
          fileName={`${file}.json`}
          type="application/json"
          text={async () => JSON.stringify(await readBilling(range), null, 2)}
          disabled={isBackwards}
        >
          {texts.json}
        </DownloadButton>
      </Group>
      <Text c="red" role="alert" mih={isBackwards ? 24 : 0}>
        {isBackwards && texts.backwards}
      </Text>
    </Stack>
  )
}
