import { SimpleGrid } from '@mantine/core'
import type { Validator } from '@trestle/contracts/staking/validators'
import { formatCount } from '../parts/amount.js'
import { stakingTexts } from '../texts/staking.js'
import { formatEth, formatPercent } from './money.js'
import { Tile } from './tile.js'
import { useChainStats } from './use-staking.js'
import { validatorTotals } from './validator-list.js'

const { totals: texts } = stakingTexts
const NOT_YET = '–'

/** What one has in all, and what the chain pays. */
export function ChainTotals({ chain, validators }: { chain: string; validators: readonly Validator[] | undefined }) {
  const { data: stats } = useChainStats(chain)
  const totals = validators && validatorTotals(validators)
  const parts = stats && texts.chainAprParts(formatPercent(stats.consensusApr), formatPercent(stats.executionApr))
  const counted = (value: number | undefined) => (value === undefined ? NOT_YET : formatCount(value))
  return (
    <SimpleGrid cols={{ base: 2, sm: 3, lg: 6 }} spacing="sm" component="section" aria-label={texts.label}>
      <Tile label={texts.balance} value={totals ? formatEth(totals.balance, 4) : NOT_YET} />
      <Tile label={texts.active} value={counted(totals?.active)} />
      <Tile label={texts.pending} value={counted(totals?.pending)} />
      <Tile label={texts.leaving} value={counted(totals?.leaving)} />
      <Tile label={texts.troubled} value={counted(totals?.troubled)} />
      <Tile label={texts.chainApr(chain)} value={stats ? formatPercent(stats.apr) : NOT_YET} hint={parts ?? ''} />
    </SimpleGrid>
  )
}
