import { useQuery } from '@tanstack/react-query'
import type { ClientKey } from '@trestle/contracts/accounts/client-keys'
import type { Member } from '@trestle/contracts/accounts/organizations'
import { platformClient } from '../platform/client.js'
import { useChosenOrganization } from '../platform/use-organizations.js'

/** Whom a key speaks for. */
export interface KeyActor {
  readonly isMe: boolean
  /** Undefined of somebody who has left. */
  readonly member?: Member
}

interface KeyActors {
  /** Whether others than the user have keys here. */
  readonly isShared: boolean
  /** Those for which the user may create keys. */
  readonly serviceAccounts: readonly Member[]
  of(key: ClientKey): KeyActor
}

/** Who has the keys of the organization that the pages are about. */
export function useKeyActors(): KeyActors {
  const chosen = useChosenOrganization()
  const isShared = chosen !== undefined && !chosen.personal
  const me = useQuery({ queryKey: ['accounts', 'me'], queryFn: () => platformClient.accounts.users.me() })
  const members = useQuery({
    queryKey: ['accounts', 'organizations', chosen?.id, 'members'],
    queryFn: () => platformClient.accounts.organizations.members({ params: { id: chosen?.id ?? '' } }),
    enabled: isShared,
  })
  const known = isShared ? (members.data ?? []) : []
  return {
    isShared,
    serviceAccounts: known.filter(({ serviceAccount }) => serviceAccount),
    of: ({ userId }) => ({
      isMe: userId === undefined || userId === me.data?.id,
      member: known.find((member) => member.userId === userId),
    }),
  }
}
