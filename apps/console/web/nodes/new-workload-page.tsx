import { Anchor, Button, Group, Stepper } from '@mantine/core'
import { useReducer, useState } from 'react'
import { Link } from 'react-router'
import { EmptyState } from '../parts/empty-state.js'
import { Loaded } from '../parts/loaded.js'
import { PageLayout } from '../parts/page-layout.js'
import { idempotencyKey } from '../platform/idempotency.js'
import { clustersTexts, nodesTexts } from '../texts/nodes.js'
import { ChainStep } from './chain-step.js'
import { ReviewStep } from './review-step.js'
import { missingOf, offersOf } from './services.js'
import { SizeStep } from './size-step.js'
import { useServices } from './use-nodes.js'
import type { NodeOrClusterKind } from './workload.js'
import { FIRST_STEP, isStepComplete, reduceWizard, type StepProps, type WizardEvent } from './workload-form.js'

const texts = nodesTexts.wizard
const { list } = nodesTexts

/** Creates a node or a cluster in three steps. */
export function NewWorkloadPage({ kind }: { kind: NodeOrClusterKind }) {
  const services = useServices(kind)
  return (
    <PageLayout
      title={kind === 'node' ? texts.title : clustersTexts.wizardTitle}
      description={texts.description}
      above={[{ to: `/app/${kind}s`, label: kind === 'node' ? list.title : clustersTexts.list.title }]}
    >
      <Loaded query={services} rows={6}>
        {(all) => {
          const offers = offersOf(all).sort((a, b) => Number(missingOf(a) !== undefined) - Number(missingOf(b) !== undefined))
          if (offers.every((offer) => missingOf(offer) !== undefined))
            return <EmptyState title={texts.noChains} text={texts.noChainsText} />
          return <Wizard kind={kind} offers={offers} />
        }}
      </Loaded>
    </PageLayout>
  )
}

function Wizard({ kind, offers }: Pick<StepProps, 'kind' | 'offers'>) {
  const [{ step, form }, send] = useReducer(reduceWizard, FIRST_STEP)
  const [key, setKey] = useState(idempotencyKey)
  function dispatch(event: WizardEvent) {
    // A changed form is another order.
    setKey(idempotencyKey())
    send(event)
  }
  const goTo = (to: number) => dispatch({ type: 'went to', step: to })
  const given = { kind, offers, form, dispatch }
  return (
    <>
      <Stepper active={step} onStepClick={goTo} allowNextStepsSelect={false} size="sm" wrap={false} aria-label={texts.stepsLabel}>
        <Stepper.Step label={texts.steps.chain}>
          <ChainStep {...given} />
        </Stepper.Step>
        <Stepper.Step label={texts.steps.size}>
          <SizeStep {...given} />
        </Stepper.Step>
        <Stepper.Step label={texts.steps.review}>
          <ReviewStep {...given} idempotencyKey={key} back={() => goTo(step - 1)} />
        </Stepper.Step>
      </Stepper>
      {step < 2 && (
        <Group justify="space-between">
          {step === 0 ? (
            <Anchor component={Link} to={`/app/${kind}s`}>
              {texts.back}
            </Anchor>
          ) : (
            <Button variant="default" onClick={() => goTo(step - 1)}>
              {texts.back}
            </Button>
          )}
          <Button onClick={() => goTo(step + 1)} disabled={!isStepComplete(step, form)}>
            {texts.next}
          </Button>
        </Group>
      )}
    </>
  )
}
