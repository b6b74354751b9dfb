import { Card, Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { formatCount } from '../parts/amount.js'
import { Chart } from '../parts/chart/chart.js'
import { FactList } from '../parts/fact-list.js'
import { Loaded } from '../parts/loaded.js'
import { bitcoinTexts } from '../texts/bitcoin.js'
import { useBitcoinChain } from './chain.js'
import { formatSatoshis } from './money.js'

const texts = bitcoinTexts.mempool
/** Events tell what comes, but not what goes. */
const POLL_MS = 2_000

/** How much waits for a block, by what it pays. */
export function MempoolPanel() {
  const { chain, unit, api } = useBitcoinChain()
  const query = useQuery({ queryKey: ['bitcoin', 'mempool', chain], queryFn: () => api.mempool.size(), refetchInterval: POLL_MS })
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
            <FactList
              columns={3}
              facts={[
                [texts.transactions, formatCount(txlength)],
                [texts.size, texts.virtual(vsize)],
                [texts.fees, `${formatSatoshis(feesSat)} ${unit}`],
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
