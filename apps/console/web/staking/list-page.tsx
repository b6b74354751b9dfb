import { Button } from '@mantine/core'
import { Link, useSearchParams } from 'react-router'
import { Empty } from '../parts/empty.js'
import { Loaded } from '../parts/loaded.js'
import { Page } from '../parts/page.js'
import { staking } from '../texts/staking.js'
import { ChainChoice } from './chain-choice.js'
import { ChainTotals } from './chain-totals.js'
import { useChains, useValidators } from './queries.js'
import { ValidatorsTable } from './validators-table.js'

const { list } = staking

/** All validators that one has. */
export function ListPage() {
  return (
    <Page title={staking.title} description={staking.description} actions={<Actions />}>
      <Loaded query={useChains()}>
        {(chains) => (chains.length === 0 ? <Empty {...list.noChains} /> : <Validators chains={chains} />)}
      </Loaded>
    </Page>
  )
}

function Actions() {
  return (
    <>
      <Button component={Link} to="/app/staking/billing" variant="default">
        {staking.billing}
      </Button>
      <Button component={Link} to="/app/staking/new">
        {staking.create}
      </Button>
    </>
  )
}

function Validators({ chains }: { chains: readonly string[] }) {
  const [search, setSearch] = useSearchParams()
  const chain = chains.find((each) => each === search.get('chain')) ?? chains[0] ?? ''
  const validators = useValidators(chain)
  return (
    <>
      <ChainChoice chains={chains} chain={chain} onChange={(next) => setSearch({ chain: next })} />
      <ChainTotals chain={chain} validators={validators.data} />
      <Loaded query={validators} rows={5}>
        {(all) =>
          all.length > 0 ? (
            <ValidatorsTable validators={all} />
          ) : (
            <Empty {...list.empty}>
              <Button component={Link} to={`/app/staking/new?chain=${chain}`}>
                {staking.create}
              </Button>
            </Empty>
          )
        }
      </Loaded>
    </>
  )
}
