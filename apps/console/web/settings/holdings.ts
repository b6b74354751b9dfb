import type { AccountDeletion } from '@trestle/contracts/accounts/account-deletion'
import { settingsTexts } from '../texts/settings.js'

/** One line of what somebody has, and what becomes of it. */
export interface Holding {
  readonly key: string
  readonly what: string
  readonly state: string
  readonly count: number
  readonly fate: AccountDeletion['resources'][number]['fate']
}

const texts = settingsTexts.deletion

/** What blocks the deletion comes first. */
export function holdingsOf({ resources, organizations }: Pick<AccountDeletion, 'resources' | 'organizations'>): Holding[] {
  const all = [
    ...resources.map(({ deployment, kind, state, count, fate }) => ({
      key: `${deployment} ${kind} ${state}`,
      what: texts.resource(kind, deployment),
      state,
      count,
      fate,
    })),
    ...organizations.map(({ id, name, fate }) => ({ key: id, what: texts.organization(name), state: '', count: 1, fate })),
  ]
  return all.toSorted((a, b) => Number(b.fate === 'blocks') - Number(a.fate === 'blocks'))
}
