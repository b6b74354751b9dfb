import { Button, Stack, Text, TextInput } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import type { FormEvent } from 'react'
import { EmptyState } from '../parts/empty-state.js'
import { ProblemNotice } from '../parts/problem-notice.js'
import { trestle } from '../platform/client.js'
import { accountsTexts } from '../texts/accounts.js'

const texts = accountsTexts.organization

export function CreateOrganization() {
  const client = useQueryClient()
  const founding = useMutation({
    mutationFn: (form: FormData) => trestle.accounts.organizations.create({ body: { name: String(form.get('name')) } }),
    onSuccess: () => client.invalidateQueries({ queryKey: ['accounts', 'organizations'] }),
  })
  function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault()
    founding.mutate(new FormData(event.currentTarget))
  }
  return (
    <EmptyState title={texts.found} text={texts.foundText}>
      <form onSubmit={submit}>
        <Stack w={300} maw="100%">
          <TextInput name="name" label={texts.name} required maxLength={100} />
          {founding.error && <ProblemNotice error={founding.error} />}
          <Button type="submit" loading={founding.isPending}>
            {texts.foundSubmit}
          </Button>
        </Stack>
      </form>
      <Text size="sm" c="dimmed">
        {texts.foundInvited}
      </Text>
    </EmptyState>
  )
}
