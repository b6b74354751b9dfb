import { Button, Group, Modal, Stack, Text, TextInput } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import type { Organization } from '@trestle/contracts/accounts/organizations'
import type { FormEvent } from 'react'
import { ConfirmButton } from '../parts/confirm-button.js'
import { ProblemNotice } from '../parts/problem-notice.js'
import { platformClient } from '../platform/client.js'
import { accountsTexts } from '../texts/accounts.js'

const texts = accountsTexts.organization
const ORGANIZATIONS = ['accounts', 'organizations']

interface OwnProps {
  own: Organization
}

export function Rename({ own }: OwnProps) {
  const client = useQueryClient()
  const [opened, { open, close }] = useDisclosure()
  const renaming = useMutation({
    mutationFn: (form: FormData) =>
      platformClient.accounts.organizations.rename({ params: { id: own.id }, body: { name: String(form.get('name')) } }),
    onSuccess: async () => {
      close()
      await client.invalidateQueries({ queryKey: ORGANIZATIONS })
    },
  })
  function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault()
    renaming.mutate(new FormData(event.currentTarget))
  }
  return (
    <>
      <Button variant="default" onClick={open}>
        {texts.rename}
      </Button>
      <Modal opened={opened} onClose={close} title={texts.renameTitle} centered>
        <form onSubmit={submit}>
          <Stack>
            <TextInput name="name" label={texts.name} required maxLength={100} defaultValue={own.name} data-autofocus />
            {renaming.error && <ProblemNotice error={renaming.error} />}
            <Group justify="flex-end">
              <Button type="submit" loading={renaming.isPending}>
                {texts.save}
              </Button>
            </Group>
          </Stack>
        </form>
      </Modal>
    </>
  )
}

export function Leave({ own: { id, name } }: OwnProps) {
  const client = useQueryClient()
  const me = useQuery({ queryKey: ['accounts', 'me'], queryFn: () => platformClient.accounts.users.me() })
  async function leave() {
    await platformClient.accounts.organizations.removeMember({ params: { id, userId: me.data?.id ?? '' } })
    client.setQueryData(ORGANIZATIONS, [])
  }
  return (
    <ConfirmButton action={texts.leave} title={texts.leaveTitle(name)} disabled={!me.data} onConfirm={leave}>
      <Text>{texts.leaveText}</Text>
    </ConfirmButton>
  )
}

export function Dissolve({ own: { id, name } }: OwnProps) {
  const client = useQueryClient()
  async function dissolve() {
    await platformClient.accounts.organizations.remove({ params: { id } })
    client.setQueryData(ORGANIZATIONS, [])
  }
  return (
    <ConfirmButton action={texts.dissolve} title={texts.dissolveTitle(name)} word={name} onConfirm={dissolve}>
      <Text>{texts.dissolveText}</Text>
    </ConfirmButton>
  )
}
