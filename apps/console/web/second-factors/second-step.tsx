import { FactorChallenge } from '@trestle/contracts/accounts/second-factors'
import type { Problem } from '@trestle/problem/problem'
import { FactorForm } from './factor-form.js'

/** The second step of a sign-in: `challenged` is the answer to the first. */
export default function SecondStep({ challenged, onProven }: { challenged: Problem; onProven: () => unknown }) {
  return <FactorForm challenge={FactorChallenge.parse(challenged.extensions)} onProven={onProven} />
}
