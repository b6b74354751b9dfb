import { Button, Stack, Text, TextInput } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import type { FormEvent } from 'react'
import { EmptyState } from '../parts/empty-state.js'
import { ProblemNotice } from '../parts/problem-notice.js'
import { platformClient } from '../platform/client.js'
import { accountsTexts } from '../texts/accounts.js'

const texts = accountsTexts.organization

export function CreateOrganization() {
  const client = useQueryClient()
  const creating = useMutation({
    mutationFn: (form: FormData) => platformClient.accounts.organizations.create({ body: { name: String(form.get('name')) } }),
    onSuccess: () => client.invalidateQueries({ queryKey: ['accounts', 'organizations'] }),
  })
  function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault()
    creating.mutate(new FormData(event.currentTarget))
  }
  return (
    <EmptyState title={texts.create} text={texts.createText}>
      <form onSubmit={submit}>
        <Stack w={300} maw="100%">
          <TextInput name="name" label={texts.name} required maxLength={100} />
          {creating.error && <ProblemNotice error={creating.error} />}
          <Button type="submit" loading={creating.isPending}>
            {texts.createSubmit}
          </Button>
        </Stack>
      </form>
      <Text size="sm" c="dimmed">
        {texts.createInvited}
      </Text>
    </EmptyState>
  )
}
