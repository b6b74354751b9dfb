import { Alert, Button, Group, Modal, Select, Stack, TextInput } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { notifications } from '@mantine/notifications'
import { IconAlertTriangle, IconPlus } from '@tabler/icons-react'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import type { CreatedProjectKey, ProjectKey } from '@trestle/contracts/eth-rpc/project-keys'
import { useState } from 'react'
import { Hash } from '../../parts/copy-button.js'
import { FactList } from '../../parts/fact-list.js'
import { SubmitForm } from '../../parts/submit-form.js'
import { projectKeysTexts as texts } from '../../texts/project-keys.js'
import { useEthereumChain } from '../chain.js'
import { webSocketUrl } from '../snippets.js'
import {
  canSaveProjectKey,
  isLifetime,
  LIFETIMES,
  NEW_PROJECT_KEY,
  newProjectKeyBody,
  type ProjectKeyForm,
  projectKeyChange,
  projectKeyForm,
} from './project-key-form.js'

export function projectKeysOf(chain: string, projectId: string) {
  return ['ethereum', 'project-keys', chain, projectId]
}

/** Creates a key and shows its URL once: only the button closes the dialog then. */
export function NewProjectKeyButton({ projectId }: { projectId: string }) {
  const { chain, api } = useEthereumChain()
  const client = useQueryClient()
  const [opened, { open, close }] = useDisclosure()
  const [form, setForm] = useState(NEW_PROJECT_KEY)
  const [created, setCreated] = useState<CreatedProjectKey>()
  const creating = useMutation({
    mutationFn: () => api.keys.create({ params: { projectId }, body: newProjectKeyBody(form, new Date()) }),
    onSuccess: async (key) => {
      setCreated(key)
      await client.invalidateQueries({ queryKey: projectKeysOf(chain, projectId) })
    },
  })
  const clear = () => {
    setCreated(undefined)
    setForm(NEW_PROJECT_KEY)
  }
  return (
    <>
      <Button leftSection={<IconPlus size={16} aria-hidden />} onClick={open}>
        {texts.create}
      </Button>
      <Modal
        opened={opened}
        onClose={close}
        onExitTransitionEnd={clear}
        title={created ? texts.createdTitle : texts.create}
        size="lg"
        closeOnClickOutside={!created}
        closeOnEscape={!created}
        withCloseButton={!created}
      >
        {created ? (
          <CreatedProjectKeyNotice created={created} onDone={close} />
        ) : (
          <SubmitForm
            action={texts.create}
            submission={creating}
            problem={creating.error}
            disabled={!canSaveProjectKey(form)}
            button="right"
          >
            <Fields form={form} onChange={setForm} />
          </SubmitForm>
        )}
      </Modal>
    </>
  )
}

/** The only time a key is shown. */
export function CreatedProjectKeyNotice({ created: { url }, onDone }: { created: CreatedProjectKey; onDone: () => void }) {
  return (
    <Stack>
      <Alert color="yellow" variant="light" icon={<IconAlertTriangle aria-hidden />}>
        {texts.once}
      </Alert>
      <FactList
        columns={1}
        facts={[
          [texts.http, <Hash key="http" value={url} label={texts.http} />],
          [texts.webSocket, <Hash key="ws" value={webSocketUrl(url)} label={texts.webSocket} />],
        ]}
      />
      <Group justify="flex-end">
        <Button onClick={onDone}>{texts.done}</Button>
      </Group>
    </Stack>
  )
}

export function EditProjectKeyButton({ projectId, of: key }: { projectId: string; of: ProjectKey }) {
  const { chain, api } = useEthereumChain()
  const client = useQueryClient()
  const [opened, { open, close }] = useDisclosure()
  const [form, setForm] = useState(() => projectKeyForm(key))
  const saving = useMutation({
    mutationFn: () => {
      const params = { projectId, keyNumber: String(key.number) }
      return api.keys.change({ params, body: projectKeyChange(form, new Date()) })
    },
    onSuccess: async () => {
      close()
      notifications.show({ message: texts.saved })
      await client.invalidateQueries({ queryKey: projectKeysOf(chain, projectId) })
    },
  })
  return (
    <>
      <Button size="compact-sm" variant="default" onClick={open}>
        {texts.edit}
      </Button>
      <Modal opened={opened} onClose={close} onExitTransitionEnd={() => setForm(projectKeyForm(key))} title={texts.editTitle(key.name)}>
        <SubmitForm action={texts.save} submission={saving} problem={saving.error} disabled={!canSaveProjectKey(form)} button="right">
          <Fields form={form} onChange={setForm} isEdited />
        </SubmitForm>
      </Modal>
    </>
  )
}

interface FieldsProps {
  form: ProjectKeyForm
  onChange: (form: ProjectKeyForm) => void
  isEdited?: boolean
}

function Fields({ form, onChange, isEdited }: FieldsProps) {
  const lifetimes = LIFETIMES.map((value) => ({
    value: String(value),
    label: value === 'never' ? texts.forever : texts.days(Number(value)),
  }))
  return (
    <Stack>
      <TextInput
        label={texts.name}
        description={texts.nameHint}
        value={form.name}
        onChange={(event) => onChange({ ...form, name: event.currentTarget.value })}
        maxLength={100}
        required
        data-autofocus
      />
      <Select
        label={texts.expiry}
        data={isEdited ? [{ value: 'keep', label: texts.keep }, ...lifetimes] : lifetimes}
        value={form.lifetime}
        onChange={(value) => isLifetime(value) && onChange({ ...form, lifetime: value })}
        allowDeselect={false}
      />
    </Stack>
  )
}
