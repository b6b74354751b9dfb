import { FactorChallenge } from '@trestle/contracts/accounts/second-factors'
import { FactorForm } from './factor-form.js'

/** The second step of a sign-in: `challenge` is the answer to the first. */
export default function SecondStep({ challenge, onProven }: { challenge: unknown; onProven: () => unknown }) {
  return <FactorForm challenge={FactorChallenge.parse(challenge)} onProven={onProven} />
}
