import { Button, Group, NativeSelect, Stack, Text, Textarea } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { useMutation } from '@tanstack/react-query'
import { type ReactNode, useReducer } from 'react'
import { useNavigate } from 'react-router'
import { ConfirmButton } from '../parts/confirm-button.js'
import { changeField, textField } from '../parts/form.js'
import { Panel } from '../parts/panel.js'
import { ProblemNotice } from '../parts/problem-notice.js'
import { SubmitForm } from '../parts/submit-form.js'
import { exactTime, Time } from '../parts/time.js'
import { nodesTexts } from '../texts/nodes.js'
import { TransferPanel } from '../transfer/transfer-panel.js'
import { type AccessForm, accessBody, accessForm, canSaveAccess } from './access-form.js'
import { readAddresses } from './addresses.js'
import { DAY_LONG, lifetimeBody, reduceLifetime } from './lifetime-form.js'
import { StartStopButton } from './start-stop-button.js'
import { ttlChoices } from './ttl.js'
import { useWorkloadActions } from './use-nodes.js'
import type { NodeOrCluster, NodeOrClusterKind } from './workload.js'

const texts = nodesTexts.settings

interface SettingsProps {
  kind: NodeOrClusterKind
  workload: NodeOrCluster
  /** What only one of the two kinds has. */
  children?: ReactNode
}

/** Who may call it, how long it runs, and its end. */
export function WorkloadSettings({ kind, workload, children }: SettingsProps) {
  const { id, state } = workload
  return (
    <Stack gap="lg">
      {children}
      <Panel title={texts.access}>
        <Access kind={kind} workload={workload} />
      </Panel>
      <Panel title={texts.lifetime}>
        <Lifetime kind={kind} workload={workload} />
      </Panel>
      <Panel title={texts.rest} text={texts.restText} action={<StartStopButton kind={kind} id={id} state={state} />} />
      <Transfer kind={kind} workload={workload} />
      <Panel title={texts.danger} text={texts.dangerText} action={<Remove kind={kind} id={id} />} />
    </Stack>
  )
}

function Access({ kind, workload }: SettingsProps) {
  const { change } = useWorkloadActions(kind, workload.id)
  const [form, dispatch] = useReducer(changeField<AccessForm>, workload, accessForm)
  const { wrong } = readAddresses(form.allowedIps)
  const saving = useMutation({ mutationFn: () => change(accessBody(form)), onSuccess: notifySaved })
  return (
    <SubmitForm action={texts.save} submission={saving} problem={saving.error} disabled={!canSaveAccess(form, workload)} gap="sm">
      <Textarea
        {...textField(form, dispatch, 'allowedIps')}
        label={texts.allowedIps}
        description={texts.allowedIpsText}
        error={wrong.length > 0 && texts.wrongAddress(wrong)}
        autosize
        minRows={2}
        w="100%"
        maw={520}
      />
    </SubmitForm>
  )
}

function Lifetime({ kind, workload: { id, ttl, userPlanData } }: SettingsProps) {
  const { change } = useWorkloadActions(kind, id)
  const [form, dispatch] = useReducer(reduceLifetime, DAY_LONG)
  const saving = useMutation({ mutationFn: () => change(lifetimeBody(form, userPlanData.expiresAt, new Date())), onSuccess: notifySaved })
  const stopsAt = Number(ttl) * 1000
  return (
    <Stack gap="sm" align="flex-start">
      <Text>
        {texts.stopsAt} <Time value={stopsAt} />, {exactTime(stopsAt)}.
      </Text>
      <Text size="sm" c="dimmed">
        {texts.stopsAtText}
      </Text>
      <Group align="flex-end">
        <NativeSelect
          label={texts.ttl}
          data={ttlChoices(texts.ttls)}
          value={form.ttl}
          onChange={(event) => dispatch(event.currentTarget)}
        />
        <Button variant="default" loading={saving.isPending} onClick={() => saving.mutate()}>
          {texts.setTtl}
        </Button>
      </Group>
      {saving.error && <ProblemNotice error={saving.error} />}
    </Stack>
  )
}

function Transfer({ kind, workload: { id, organization } }: SettingsProps) {
  const { transfer } = useWorkloadActions(kind, id)
  const navigate = useNavigate()
  return (
    <TransferPanel
      what={texts.thisOne(kind)}
      organizationId={organization}
      permission="nodes:create"
      onTransfer={async (to) => {
        await transfer(to)
        await navigate(`/app/${kind}s`)
      }}
    />
  )
}

function Remove({ kind, id }: { kind: NodeOrClusterKind; id: string }) {
  const { remove } = useWorkloadActions(kind, id)
  const navigate = useNavigate()
  async function end() {
    await remove()
    await navigate(`/app/${kind}s`)
    notifications.show({ message: texts.removed })
  }
  return (
    <ConfirmButton action={texts.remove} title={texts.removeTitle(kind)} word={id} onConfirm={end}>
      <Text>{texts.dangerText}</Text>
    </ConfirmButton>
  )
}

function notifySaved(): void {
  notifications.show({ message: texts.saved })
}
