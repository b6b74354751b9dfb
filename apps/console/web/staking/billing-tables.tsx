import { Anchor, SimpleGrid, Stack } from '@mantine/core'
import type { BillingEntry } from '@trestle/contracts/staking/reports'
import { Link } from 'react-router'
import { formatCoins } from '../parts/amount.js'
import { Chart } from '../parts/chart/chart.js'
import { type Column, DataTable } from '../parts/data-table.js'
import { SectionTitle } from '../parts/panel.js'
import { stakingTexts } from '../texts/staking.js'
import { type BillingRow, billedValidators, billingRows, billingTotals, type ValidatorRow } from './billing-sums.js'
import { ethHeight, ethLabel, formatEth } from './money.js'
import { Tile } from './tile.js'
import { validatorPath } from './use-staking.js'

const texts = stakingTexts.bill
const { columns } = texts
const AMOUNTS = ['rewards', 'penalties', 'fees', 'rewardsAfterFees'] as const
const COLORS = { rewards: 'var(--mantine-color-teal-6)', penalties: 'var(--mantine-color-red-6)', fees: 'var(--mantine-color-orange-6)' }

/** The report: in all, by user, and validator by validator. */
export function BillingTables({ entries }: { entries: readonly BillingEntry[] }) {
  const rows = billingRows(entries)
  const totals = billingTotals(rows)
  return (
    <Stack gap="lg">
      <SimpleGrid cols={{ base: 2, md: 5 }} spacing="sm" component="section" aria-label={texts.totals}>
        {AMOUNTS.map((name) => (
          <Tile key={name} label={texts.amounts[name]} value={formatEth(totals[name], 9)} />
        ))}
        <Tile label={texts.validators} value={texts.activeOf(totals.active, totals.active + totals.inactive)} />
      </SimpleGrid>
      <Chart
        title={texts.chart}
        kind="bars"
        labels={rows.map(({ userName, bill: { chain } }) => `${userName} · ${chain}`)}
        format={ethLabel}
        series={(['rewards', 'penalties', 'fees'] as const).map((name) => ({
          name: texts.amounts[name],
          color: COLORS[name],
          values: rows.map(({ bill }) => ethHeight(BigInt(bill[name]))),
        }))}
      />
      <SectionTitle>{texts.users}</SectionTitle>
      <DataTable label={texts.users} rows={rows} columns={USERS} keyOf={({ user, bill }) => `${user}:${bill.chain}`} minWidth={900} />
      <SectionTitle>{texts.each}</SectionTitle>
      <DataTable
        label={texts.each}
        rows={billedValidators(rows)}
        columns={VALIDATORS}
        keyOf={({ chain, pubkey }) => `${chain}:${pubkey}`}
        minWidth={960}
      />
    </Stack>
  )
}

const USERS: Column<BillingRow>[] = [
  { name: 'user', header: columns.user, width: '2fr', cell: ({ userName, userEmail }) => `${userName} (${userEmail})` },
  { name: 'chain', header: columns.chain, width: '90px', cell: ({ bill }) => bill.chain },
  {
    name: 'validators',
    header: columns.validators,
    align: 'right',
    cell: ({ bill }) => `${bill.totalActiveValidators} / ${bill.totalCurrentValidators}`,
  },
  ...AMOUNTS.map((name) => amountColumn<BillingRow>(name, ({ bill }) => bill[name])),
]

const VALIDATORS: Column<ValidatorRow>[] = [
  { name: 'pubkey', header: columns.pubkey, width: '1.5fr', cell: (row) => <KeyLink row={row} /> },
  { name: 'user', header: columns.user, cell: ({ userName }) => userName },
  { name: 'days', header: columns.days, align: 'right', cell: ({ activeDays = 0, runningDays }) => texts.days(activeDays, runningDays) },
  { name: 'slashed', header: columns.slashed, width: '90px', cell: ({ slashed }) => (slashed ? texts.yes : texts.no) },
  ...AMOUNTS.map((name) => amountColumn<ValidatorRow>(name, (row) => row[name])),
]

function amountColumn<T>(name: (typeof AMOUNTS)[number], amountOf: (row: T) => string | undefined): Column<T> {
  return {
    name,
    header: `${texts.amounts[name]} (ETH)`,
    align: 'right',
    cell: (row) => {
      const amount = amountOf(row)
      return amount === undefined ? '–' : formatCoins(amount, 18, 9)
    },
  }
}

function KeyLink({ row: { chain, pubkey } }: { row: ValidatorRow }) {
  return (
    <Anchor component={Link} to={validatorPath({ chain, pubkey })} className="mono" title={`0x${pubkey}`}>
      {`0x${pubkey.slice(0, 8)}…${pubkey.slice(-6)}`}
    </Anchor>
  )
}
