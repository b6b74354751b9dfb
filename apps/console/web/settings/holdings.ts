import type { AccountDeletion } from '@trestle/contracts/accounts/account-deletion'
import { settingsTexts } from '../texts/settings.js'

/** One line of what somebody has, and what becomes of it. */
export interface Holding {
  readonly key: string
  readonly what: string
  readonly state: string
  readonly count: number
  readonly effect: AccountDeletion['resources'][number]['effect']
}

const texts = settingsTexts.deletion

/** What blocks the deletion comes first. */
export function holdingsOf({ resources, organizations }: Pick<AccountDeletion, 'resources' | 'organizations'>): Holding[] {
  const all = [
    ...resources.map(({ deployment, kind, state, count, effect }) => ({
      key: `${deployment} ${kind} ${state}`,
      what: texts.resource(kind, deployment),
      state,
      count,
      effect,
    })),
    ...organizations.map(({ id, name, effect }) => ({ key: id, what: texts.organization(name), state: '', count: 1, effect })),
  ]
  return all.toSorted((a, b) => Number(b.effect === 'blocks') - Number(a.effect === 'blocks'))
}
