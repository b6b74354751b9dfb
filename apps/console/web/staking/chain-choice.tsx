import { SegmentedControl } from '@mantine/core'
import { stakingTexts } from '../texts/staking.js'

/** Nothing where there is nothing to choose. */
export function ChainChoice(props: { chains: readonly string[]; chain: string; onChange: (chain: string) => void }) {
  const { chains, chain, onChange } = props
  if (chains.length < 2) return null
  return <SegmentedControl aria-label={stakingTexts.chain} data={[...chains]} value={chain} onChange={onChange} />
}
