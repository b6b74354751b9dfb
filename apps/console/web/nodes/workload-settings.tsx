import { Button, Group, NativeSelect, Stack, Text, Textarea } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { useMutation } from '@tanstack/react-query'
import { type FormEvent, type ReactNode, useState } from 'react'
import { useNavigate } from 'react-router'
import { ConfirmButton } from '../parts/confirm-button.js'
import { Panel } from '../parts/panel.js'
import { ProblemNotice } from '../parts/problem-notice.js'
import { exactTime, Time } from '../parts/time.js'
import { nodesTexts } from '../texts/nodes.js'
import { accessBody, accessForm, canSaveAccess } from './access-form.js'
import { readAddresses } from './addresses.js'
import { StartStopButton } from './start-stop-button.js'
import { type Ttl, ttlChoices, ttlSeconds } from './ttl.js'
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
      <Panel title={texts.danger} text={texts.dangerText} action={<Remove kind={kind} id={id} />} />
    </Stack>
  )
}

function Access({ kind, workload: { id, allowedIps } }: SettingsProps) {
  const { change } = useWorkloadActions(kind, id)
  const [text, setText] = useState(() => accessForm(allowedIps))
  const { wrong } = readAddresses(text)
  const saving = useMutation({ mutationFn: () => change(accessBody(text)), onSuccess: notifySaved })
  function submit(event: FormEvent) {
    event.preventDefault()
    saving.mutate()
  }
  return (
    <form onSubmit={submit}>
      <Stack gap="sm" align="flex-start">
        <Textarea
          label={texts.allowedIps}
          description={texts.allowedIpsText}
          value={text}
          onChange={(event) => setText(event.currentTarget.value)}
          error={wrong.length > 0 && texts.wrongAddress(wrong)}
          autosize
          minRows={2}
          w="100%"
          maw={520}
        />
        {saving.error && <ProblemNotice error={saving.error} />}
        <Button type="submit" loading={saving.isPending} disabled={!canSaveAccess(text, allowedIps)}>
          {texts.save}
        </Button>
      </Stack>
    </form>
  )
}

function Lifetime({ kind, workload: { id, ttl, userPlanData } }: SettingsProps) {
  const { change } = useWorkloadActions(kind, id)
  const [chosen, setChosen] = useState<Ttl>('86400')
  const saving = useMutation({
    mutationFn: () => change({ ttl: ttlSeconds(chosen, new Date(userPlanData.expiresAt), new Date()) }),
    onSuccess: notifySaved,
  })
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
          value={chosen}
          onChange={(event) => setChosen(event.currentTarget.value as Ttl)}
        />
        <Button variant="default" loading={saving.isPending} onClick={() => saving.mutate()}>
          {texts.setTtl}
        </Button>
      </Group>
      {saving.error && <ProblemNotice error={saving.error} />}
    </Stack>
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
