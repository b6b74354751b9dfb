import { useQuery } from '@tanstack/react-query'
import type { Validator } from '@trestle/contracts/staking/validators'
import { Problem } from '@trestle/problem/problem'
import { platformClient } from '../platform/client.js'
import { isChanging } from './lifecycle.js'
import { refreshMs } from './validator-list.js'

export function useStakingChains() {
  return useQuery({ queryKey: ['staking', 'chains'], queryFn: () => platformClient.staking.chains.list(), staleTime: 300_000 })
}

export function useRegions() {
  return useQuery({ queryKey: ['staking', 'regions'], queryFn: () => platformClient.staking.regions.list(), staleTime: 300_000 })
}

export function useChainValidators(chain: string | undefined) {
  return useQuery({
    queryKey: ['staking', 'validators', chain],
    queryFn: () => platformClient.staking.validators.list({ params: { chain: chain ?? '' } }),
    enabled: chain !== undefined,
    refetchInterval: ({ state }) => refreshMs(state.data),
  })
}

/** One validator; its chain is looked for where the address of the page does not name it. */
export function useValidator(pubkey: string, chain: string | undefined) {
  return useQuery({
    queryKey: ['staking', 'validator', pubkey, chain],
    queryFn: () => findValidator(pubkey, chain),
    refetchInterval: ({ state }) => (state.data && isChanging(state.data) ? 2000 : 10_000),
    // Do not poll for a validator that does not exist.
    enabled: ({ state }) => state.data !== undefined || !isUnknown(state.error),
  })
}

export function useChainStats(chain: string | undefined) {
  return useQuery({
    queryKey: ['staking', 'stats', chain],
    queryFn: () => platformClient.staking.performance.stats({ params: { chain: chain ?? '' } }),
    enabled: chain !== undefined,
    refetchInterval: 30_000,
  })
}

/** All of the user's validators as CSV. */
export async function readReport(): Promise<string> {
  const text: unknown = await platformClient.staking.reports.validators()
  return String(text)
}

export function validatorPath({ chain, pubkey }: Pick<Validator, 'chain' | 'pubkey'>): string {
  return `/app/staking/validators/${pubkey}?chain=${encodeURIComponent(chain)}`
}

/** Neither of this chain, nor of any other. */
export function isUnknown(error: unknown): boolean {
  return error instanceof Problem && ['UnknownValidator', 'UnknownChain', 'InvalidInput'].includes(error.code)
}

async function findValidator(pubkey: string, chain: string | undefined): Promise<Validator> {
  const chains = chain === undefined ? await platformClient.staking.chains.list() : [chain]
  for (const each of chains) {
    try {
      return await platformClient.staking.validators.get({ params: { chain: each, pubkey } })
    } catch (error) {
      if (!isUnknown(error)) throw error
    }
  }
  throw new Problem('unknown', 'UnknownValidator', 'You have no such validator.')
}
