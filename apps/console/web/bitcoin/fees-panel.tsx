import { Card, Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Chart } from '../parts/chart/chart.js'
import { Loaded } from '../parts/loaded.js'
import { bitcoinTexts } from '../texts/bitcoin.js'
import { useBitcoinChain } from './chain.js'
import { estimatedRate } from './money.js'
import { refetchMs } from './use-chain-events.js'

const texts = bitcoinTexts.fees
const TARGETS = [1, 2, 3, 6, 12, 24, 144, 1008]

/** What it costs to be in a block soon. */
export function FeesPanel({ isLive }: { isLive: boolean }) {
  const { chain, api } = useBitcoinChain()
  const query = useQuery({
    queryKey: ['bitcoin', 'fees', chain],
    queryFn: () => api.fees.estimate({ query: { nbBlocks: TARGETS.join(',') } }),
    refetchInterval: refetchMs(isLive),
  })
  return (
    <Card withBorder component="section" mih={310}>
      <Loaded query={query} rows={6}>
        {(estimates) => {
          const rates = TARGETS.map((target) => estimatedRate(estimates[target] ?? -1))
          return (
            <Stack gap="xs">
              <Chart
                title={texts.title}
                kind="bars"
                labels={TARGETS.map(texts.target)}
                series={[{ name: texts.rate, color: 'var(--mantine-primary-color-filled)', values: rates }]}
                format={texts.perByte}
              />
              <Text size="sm" c="dimmed">
                {rates.every((rate) => rate === undefined) ? texts.unknown : texts.text}
              </Text>
            </Stack>
          )
        }}
      </Loaded>
    </Card>
  )
}
