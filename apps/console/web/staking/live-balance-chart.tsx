import { Text } from '@mantine/core'
import type { Validator } from '@trestle/contracts/staking/validators'
import { useEffect, useState } from 'react'
import { Chart } from '../parts/chart/chart.js'
import { stakingTexts } from '../texts/staking.js'
import { formatEth } from './money.js'

const texts = stakingTexts.earnings
const MAX_SAMPLES = 240
const clock = new Intl.DateTimeFormat('en', { timeStyle: 'medium' })
const WEI_PER_GWEI = 1_000_000_000n

interface Sample {
  readonly at: string
  readonly balance: bigint
}

/** In its first days there are too few balances for a chart, so they are recorded while the page is open. */
export function LiveBalanceChart({ validator: { balance, asOf } }: { validator: Validator }) {
  const samples = useSamples(BigInt(balance), asOf)
  if (samples.length < 2)
    return (
      <Text size="sm" c="dimmed" mih={24}>
        {texts.balanceWait}
      </Text>
    )
  const [lowest = 0n] = samples.map((sample) => sample.balance).toSorted((one, other) => (one < other ? -1 : 1))
  return (
    <Chart
      title={texts.balance(formatEth(lowest))}
      kind="line"
      height={160}
      labels={samples.map(({ at }) => clock.format(new Date(at)))}
      series={[
        {
          name: texts.balanceSeries,
          color: 'var(--mantine-color-teal-6)',
          values: samples.map((sample) => Number((sample.balance - lowest) / WEI_PER_GWEI)),
        },
      ]}
    />
  )
}

function useSamples(balance: bigint, asOf: string | null): readonly Sample[] {
  const [samples, setSamples] = useState<readonly Sample[]>([])
  useEffect(() => {
    if (asOf === null) return
    setSamples((earlier) => (earlier.at(-1)?.balance === balance ? earlier : [...earlier, { at: asOf, balance }].slice(-MAX_SAMPLES)))
  }, [balance, asOf])
  return samples
}
