import type { Validator } from '@trestle/contracts/staking/validators'
import { Chart } from '../parts/chart/chart.js'
import { staking } from '../texts/staking.js'
import { BalanceWatch } from './balance-watch.js'
import type { Range } from './days.js'
import { eth, ethHeight, ethLabel } from './money.js'
import type { CoursePiece } from './use-course.js'

const texts = staking.earnings

interface BalancesProps {
  validator: Validator
  range: Range
  pieces: readonly CoursePiece[] | undefined
}

/** What it had at the end of each piece; what it has while somebody looks, where that is not enough for a picture yet. */
export function Balances({ validator, range, pieces = [] }: BalancesProps) {
  const balances = pieces.map(({ days }) => days.at(-1)?.balance).map((balance) => (balance === undefined ? undefined : BigInt(balance)))
  const known = balances.filter((balance) => balance !== undefined)
  if (known.length < 2) return <BalanceWatch validator={validator} />
  const [lowest = 0n] = known.toSorted((one, other) => (one < other ? -1 : 1))
  return (
    <Chart
      title={texts.balances(texts.pieces[range], eth(lowest))}
      kind="line"
      height={160}
      labels={pieces.map(({ label }) => label)}
      format={ethLabel}
      series={[
        {
          name: texts.balanceSeries,
          color: 'var(--mantine-color-teal-6)',
          values: balances.map((balance) => (balance === undefined ? undefined : ethHeight(balance - lowest))),
        },
      ]}
    />
  )
}
