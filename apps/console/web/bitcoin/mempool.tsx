import { Card, Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { count } from '../parts/amount.js'
import { Chart } from '../parts/chart/chart.js'
import { Facts } from '../parts/facts.js'
import { Loaded } from '../parts/loaded.js'
import { bitcoin } from '../texts/bitcoin.js'
import { useChain } from './chain.js'
import { inCoins } from './money.js'

const texts = bitcoin.mempool
/** Events tell what comes, but not what goes. */
const LOOK_MS = 2_000

/** How much waits for a block, by what it pays. */
export function Mempool() {
  const { chain, unit, api } = useChain()
  const query = useQuery({ queryKey: ['bitcoin', 'mempool', chain], queryFn: () => api.mempool.size(), refetchInterval: LOOK_MS })
  return (
    <Card withBorder component="section" mih={400}>
      <Loaded query={query} rows={8}>
        {({ bands, txlength, vsize, feesSat }) => (
          <Stack gap="xs">
            <Chart
              title={texts.title}
              kind="bars"
              labels={bands.map(({ from, to }) => texts.band(from, to))}
              series={[{ name: texts.size, color: 'var(--mantine-primary-color-filled)', values: bands.map((band) => band.vsize) }]}
              format={texts.virtual}
            />
            <Facts
              columns={3}
              facts={[
                [texts.transactions, count(txlength)],
                [texts.size, texts.virtual(vsize)],
                [texts.fees, `${inCoins(feesSat)} ${unit}`],
              ]}
            />
            <Text size="sm" c="dimmed">
              {texts.text}
            </Text>
          </Stack>
        )}
      </Loaded>
    </Card>
  )
}
