import { Button, Group, Stack } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { Link, useNavigate } from 'react-router'
import { Page } from '../parts/page.js'
import { chains } from '../texts/chains.js'
import { ethereum } from '../texts/ethereum.js'
import { projectsOf, useChain } from './chain.js'
import { FormProblem } from './form-problem.js'
import { ProjectFields } from './project-fields.js'
import { bodyOf, draftOf, mistakesIn } from './project-form.js'

const texts = ethereum.newProject

export function NewProject() {
  const { chain, api, at } = useChain()
  const [draft, setDraft] = useState(draftOf())
  const client = useQueryClient()
  const navigate = useNavigate()
  const creating = useMutation({
    mutationFn: () => api.projects.create({ body: bodyOf(draft) }),
    onSuccess: async ({ id }) => {
      await client.invalidateQueries({ queryKey: projectsOf(chain) })
      await navigate(at(`/projects/${id}`))
    },
  })
  function submit(event: FormEvent) {
    event.preventDefault()
    creating.mutate()
  }
  const mistakes = mistakesIn(draft, creating.error)
  return (
    <Page
      title={texts.title}
      description={texts.description(chains.names[chain] ?? chain)}
      above={[{ to: at(), label: chains.names[chain] ?? chain }]}
    >
      <form onSubmit={submit}>
        <Stack maw={720}>
          <ProjectFields draft={draft} mistakes={mistakes} onChange={setDraft} />
          <FormProblem error={creating.error} mistakes={mistakes} />
          <Group>
            <Button type="submit" loading={creating.isPending}>
              {texts.submit}
            </Button>
            <Button component={Link} to={at()} variant="default">
              {texts.cancel}
            </Button>
          </Group>
        </Stack>
      </form>
    </Page>
  )
}
