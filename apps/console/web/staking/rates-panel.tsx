import { SimpleGrid, Table, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import type { ChainStats, ValidatorPerformance } from '@trestle/contracts/staking/performance'
import type { Validator } from '@trestle/contracts/staking/validators'
import { sumOf } from '../parts/amount.js'
import { Loaded } from '../parts/loaded.js'
import { Panel } from '../parts/panel.js'
import { platformClient } from '../platform/client.js'
import { stakingTexts } from '../texts/staking.js'
import { effectivenessOf } from './earned.js'
import { formatEth, formatPercent } from './money.js'
import { Tile } from './tile.js'
import { useChainStats } from './use-staking.js'

const texts = stakingTexts.rates

/** What it earns, compared with the chain. */
export function RatesPanel({ validator: { chain, pubkey, activatedAt } }: { validator: Validator }) {
  const mine = useQuery({
    queryKey: ['staking', 'performance', chain, pubkey],
    queryFn: () => platformClient.staking.performance.get({ params: { chain, pubkey } }),
    refetchInterval: 10_000,
    enabled: activatedAt !== null,
  })
  const stats = useChainStats(chain)
  const both = {
    data: mine.data && stats.data && { mine: mine.data, stats: stats.data },
    error: mine.error ?? stats.error,
    refetch: () => Promise.all([mine.refetch(), stats.refetch()]),
  }
  if (activatedAt === null) return null
  return (
    <Panel title={texts.title}>
      <Loaded query={both} rows={4}>
        {(rates) => <Comparison {...rates} />}
      </Loaded>
      <Text size="xs" c="dimmed">
        {texts.hint}
      </Text>
    </Panel>
  )
}

function Comparison({ mine, stats }: { mine: ValidatorPerformance; stats: ChainStats }) {
  const effectiveness = effectivenessOf(mine, stats)
  const lost = sumOf([mine.consensusPenalties, mine.executionPenalties])
  return (
    <>
      <Table aria-label={texts.label}>
        <Table.Thead>
          <Table.Tr>
            <Table.Td />
            <Table.Th ta="right">{texts.mine}</Table.Th>
            <Table.Th ta="right">{texts.chain}</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {(['consensusApr', 'executionApr', 'apr'] as const).map((name) => (
            <Table.Tr key={name}>
              <Table.Th scope="row">{texts[name]}</Table.Th>
              <Table.Td ta="right">{formatPercent(mine[name])}</Table.Td>
              <Table.Td ta="right">{formatPercent(stats[name])}</Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
      <SimpleGrid cols={{ base: 1, sm: 2 }}>
        <Tile
          label={texts.effectiveness}
          value={effectiveness === undefined ? '–' : formatPercent(effectiveness)}
          hint={texts.effectivenessHint}
        />
        <Tile label={texts.missed} value={formatEth(lost)} hint={texts.missedHint} />
      </SimpleGrid>
    </>
  )
}
