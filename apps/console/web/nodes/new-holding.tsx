import { Anchor, Button, Group, Stepper } from '@mantine/core'
import { useState } from 'react'
import { Link } from 'react-router'
import { Empty } from '../parts/empty.js'
import { Loaded } from '../parts/loaded.js'
import { Page } from '../parts/page.js'
import { idempotencyKey } from '../platform/idempotency.js'
import { clusters, nodes } from '../texts/nodes.js'
import { ChooseChain } from './choose-chain.js'
import { ChooseSize } from './choose-size.js'
import type { Kind } from './holding.js'
import { useServices } from './queries.js'
import { Review } from './review.js'
import { missingOf, offersOf } from './services.js'
import { faultsOf, isFaultless, NOTHING_WISHED, type StepProps, type Wishes } from './wishes.js'

const texts = nodes.wizard
const { list } = nodes

/** Leads to a new node, or a new cluster: what, how large, and a last look. */
export function NewHolding({ kind }: { kind: Kind }) {
  const services = useServices(kind)
  return (
    <Page
      title={kind === 'node' ? texts.title : clusters.wizardTitle}
      description={texts.description}
      above={[{ to: `/app/${kind}s`, label: kind === 'node' ? list.title : clusters.list.title }]}
    >
      <Loaded query={services} rows={6}>
        {(all) => {
          const offers = offersOf(all).sort((a, b) => Number(missingOf(a) !== undefined) - Number(missingOf(b) !== undefined))
          if (offers.every((offer) => missingOf(offer) !== undefined)) return <Empty title={texts.noChains} text={texts.noChainsText} />
          return <Wizard kind={kind} offers={offers} />
        }}
      </Loaded>
    </Page>
  )
}

function Wizard({ kind, offers }: Pick<StepProps, 'kind' | 'offers'>) {
  const [step, setStep] = useState(0)
  const [key, setKey] = useState(idempotencyKey)
  const [wishes, setWishes] = useState(NOTHING_WISHED)
  const wish = (change: Partial<Wishes>) => setWishes((before) => ({ ...before, ...change }))
  const given = { kind, offers, wishes, wish }
  function go(to: number) {
    // Other wishes are another order.
    setKey(idempotencyKey())
    setStep(to)
  }
  return (
    <>
      <Stepper active={step} onStepClick={go} allowNextStepsSelect={false} size="sm" wrap={false} aria-label={texts.stepsLabel}>
        <Stepper.Step label={texts.steps.chain}>
          <ChooseChain {...given} />
        </Stepper.Step>
        <Stepper.Step label={texts.steps.size}>
          <ChooseSize {...given} />
        </Stepper.Step>
        <Stepper.Step label={texts.steps.review}>
          <Review {...given} idempotencyKey={key} back={() => go(1)} />
        </Stepper.Step>
      </Stepper>
      {step < 2 && (
        <Group justify="space-between">
          {step === 0 ? (
            <Anchor component={Link} to={`/app/${kind}s`}>
              {texts.back}
            </Anchor>
          ) : (
            <Button variant="default" onClick={() => go(step - 1)}>
              {texts.back}
            </Button>
          )}
          <Button onClick={() => go(step + 1)} disabled={!isComplete(step, wishes)}>
            {texts.next}
          </Button>
        </Group>
      )}
    </>
  )
}

function isComplete(step: number, wishes: Wishes): boolean {
  return step === 0 ? wishes.offer !== '' : wishes.serviceId !== '' && isFaultless(faultsOf(wishes))
}
