import { Problem } from '@trestle/problem/problem'

const MOST = 25
const DEFAULT = '2'

/** The numbers of blocks that are asked for, each as it was written: so the answer names it. */
export function feeTargetsOf(nbBlocks = DEFAULT): string[] {
  const targets = (nbBlocks || DEFAULT).split(',').map((target) => target.trim())
  if (targets.length > MOST)
    throw new Problem('invalid', 'InvalidFeeTarget', `At most ${MOST} numbers of blocks can be asked for at once. Code:1`)
  if (!targets.every((target) => /^[1-9]\d{0,3}$/.test(target) && Number(target) <= 1008)) {
    // In the node's words.
    throw new Problem('invalid', 'InvalidFeeTarget', 'Invalid conf_target, must be between 1 and 1008. Code:-8')
  }
  return targets
}
