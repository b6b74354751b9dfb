import { Problem } from '@trestle/problem/problem'

const MAX_TARGETS = 25
const DEFAULT = '2'

/** The requested numbers of blocks, each as written, because the response names it so. */
export function feeTargetsOf(nbBlocks = DEFAULT): string[] {
  const targets = (nbBlocks || DEFAULT).split(',').map((target) => target.trim())
  if (targets.length > MAX_TARGETS)
    throw new Problem('invalid', 'InvalidFeeTarget', `At most ${MAX_TARGETS} numbers of blocks can be asked for at once. Code:1`)
  if (!targets.every((target) => /^[1-9]\d{0,3}$/.test(target) && Number(target) <= 1008)) {
    // The text of the node.
    throw new Problem('invalid', 'InvalidFeeTarget', 'Invalid conf_target, must be between 1 and 1008. Code:-8')
  }
  return targets
}
