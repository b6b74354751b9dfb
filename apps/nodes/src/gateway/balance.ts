import { maxLagOf } from '@trestle/contracts/chains/chains'
import type { LiveMember, LiveWorkload } from './live-workload.js'
import type { MemberHealth } from './member-health.js'

/** As much of the way to a machine as the choice looks at. */
export interface MachineLoad {
  /** Calls that it is at. */
  readonly outstanding: number
  readonly health: Pick<MemberHealth, 'isWell'>
}

export interface Choosing {
  readonly chain: string
  readonly now: number
}

/** Whom to ask of those not tried yet; undefined where nobody is left. A member that does badly is better than none. */
export function chooseMember<C extends MachineLoad>(
  members: LiveWorkload<C>['members'],
  choosing: Choosing,
  tried: readonly C[],
): LiveMember<C> | undefined {
  // Of nodes, which are most, there is one.
  const [only] = members
  if (members.length === 1 && only && !only.isDraining && tried.length === 0) return only
  const rest = upToDate(members, choosing.chain).filter(({ client }) => !tried.includes(client))
  return least(rest.filter((member) => isWell(member, choosing.now))) ?? least(rest)
}

/** All that a transaction is told to. */
export function healthyMembers<C extends MachineLoad>(members: LiveWorkload<C>['members'], choosing: Choosing): readonly LiveMember<C>[] {
  const rest = upToDate(members, choosing.chain)
  const well = rest.filter((member) => isWell(member, choosing.now))
  return well.length > 0 ? well : rest
}

/** Those that take something new, and are not further behind the best than their chain allows. */
function upToDate<C extends MachineLoad>(members: LiveWorkload<C>['members'], chain: string): readonly LiveMember<C>[] {
  const staying = members.filter(({ isDraining }) => !isDraining)
  const best = Math.max(...staying.filter(({ isReady }) => isReady).map(({ height }) => height), 0)
  return staying.filter(({ height }) => height >= best - maxLagOf(chain))
}

function isWell<C extends MachineLoad>({ isReady, client }: LiveMember<C>, now: number): boolean {
  return isReady && client.health.isWell(now)
}

/** Of several the first, always: whoever asks one call after the other is answered by one node, whose chain does not go back. */
function least<C extends MachineLoad>(members: readonly LiveMember<C>[]): LiveMember<C> | undefined {
  return members.reduce<LiveMember<C> | undefined>(
    (best, member) => (best && best.client.outstanding <= member.client.outstanding ? best : member),
    undefined,
  )
}
