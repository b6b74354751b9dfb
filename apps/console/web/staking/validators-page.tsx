import { Button } from '@mantine/core'
import { Link, useSearchParams } from 'react-router'
import { EmptyState } from '../parts/empty-state.js'
import { Loaded } from '../parts/loaded.js'
import { PageLayout } from '../parts/page-layout.js'
import { stakingTexts } from '../texts/staking.js'
import { ChainChoice } from './chain-choice.js'
import { ChainTotals } from './chain-totals.js'
import { useChainValidators, useStakingChains } from './use-staking.js'
import { ValidatorsTable } from './validators-table.js'

const { list } = stakingTexts

/** All validators of the user. */
export function ValidatorsPage() {
  return (
    <PageLayout title={stakingTexts.title} description={stakingTexts.description} actions={<Actions />}>
      <Loaded query={useStakingChains()}>
        {(chains) => (chains.length === 0 ? <EmptyState {...list.noChains} /> : <Validators chains={chains} />)}
      </Loaded>
    </PageLayout>
  )
}

function Actions() {
  return (
    <>
      <Button component={Link} to="/app/staking/billing" variant="default">
        {stakingTexts.billing}
      </Button>
      <Button component={Link} to="/app/staking/new">
        {stakingTexts.create}
      </Button>
    </>
  )
}

function Validators({ chains }: { chains: readonly string[] }) {
  const [search, setSearch] = useSearchParams()
  const chain = chains.find((each) => each === search.get('chain')) ?? chains[0] ?? ''
  const validators = useChainValidators(chain)
  return (
    <>
      <ChainChoice chains={chains} chain={chain} onChange={(next) => setSearch({ chain: next })} />
      <ChainTotals chain={chain} validators={validators.data} />
      <Loaded query={validators} rows={5}>
        {(all) =>
          all.length > 0 ? (
            <ValidatorsTable validators={all} />
          ) : (
            <EmptyState {...list.empty}>
              <Button component={Link} to={`/app/staking/new?chain=${chain}`}>
                {stakingTexts.create}
              </Button>
            </EmptyState>
          )
        }
      </Loaded>
    </>
  )
}
