import { Button, Group, Select, Stack, Text } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import type { Project } from '@trestle/contracts/eth-rpc/projects'
import { type FormEvent, useReducer, useState } from 'react'
import { useNavigate } from 'react-router'
import { ConfirmButton } from '../parts/confirm-button.js'
import { Panel } from '../parts/panel.js'
import { ethereumTexts } from '../texts/ethereum.js'
import { projectsOf, useEthereumChain } from './chain.js'
import { FormProblem } from './form-problem.js'
import { ProjectFields } from './project-fields.js'
import { hasName, projectBody, projectForm, projectMistakes, reduceProject } from './project-form.js'

const texts = ethereumTexts.settings

/** What a project allows, and its end. */
export function ProjectSettingsForm({ project }: { project: Project }) {
  const { chain, api } = useEthereumChain()
  const client = useQueryClient()
  const [form, dispatch] = useReducer(reduceProject, project, projectForm)
  const saving = useMutation({
    mutationFn: () => api.projects.change({ params: { projectId: project.id }, body: projectBody(form) }),
    onSuccess: async (changed) => {
      client.setQueryData(['ethereum', 'project', chain, project.id], changed)
      dispatch({ type: 'saved', project: changed })
      notifications.show({ message: texts.saved })
      await client.invalidateQueries({ queryKey: projectsOf(chain) })
    },
  })
  const mistakes = projectMistakes(form, saving.error)
  function submit(event: FormEvent) {
    event.preventDefault()
    saving.mutate()
  }
  return (
    <Stack gap="xl" maw={720}>
      <form onSubmit={submit}>
        <Stack>
          <ProjectFields form={form} mistakes={mistakes} dispatch={dispatch} />
          <FormProblem error={saving.error} mistakes={mistakes} />
          <Group>
            <Button type="submit" loading={saving.isPending} disabled={!hasName(form)}>
              {texts.save}
            </Button>
          </Group>
        </Stack>
      </form>
      <Rotation project={project} />
      <Removal project={project} />
    </Stack>
  )
}

function Rotation({ project: { id } }: { project: Project }) {
  const { chain, api, at } = useEthereumChain()
  const client = useQueryClient()
  const navigate = useNavigate()
  const [grace, setGrace] = useState('3600')
  async function rotate() {
    const rotated = await api.projects.rotate({ params: { projectId: id }, body: { graceSeconds: Number(grace) } })
    client.setQueryData(['ethereum', 'project', chain, rotated.id], rotated)
    client.removeQueries({ queryKey: ['ethereum', 'project', chain, id] })
    await client.invalidateQueries({ queryKey: projectsOf(chain) })
    await navigate(at(`/projects/${rotated.id}`), { replace: true })
  }
  return (
    <Panel title={texts.rotation.title} text={texts.rotation.text}>
      <Group>
        <ConfirmButton action={texts.rotation.action} title={texts.rotation.question} onConfirm={rotate}>
          <Text>{texts.rotation.consequence}</Text>
          <Select
            label={texts.rotation.grace}
            data={texts.rotation.graces.map(({ value, label }) => ({ value, label }))}
            value={grace}
            onChange={(value) => setGrace(value ?? '0')}
            allowDeselect={false}
          />
        </ConfirmButton>
      </Group>
    </Panel>
  )
}

function Removal({ project: { id, name } }: { project: Project }) {
  const { chain, api, at } = useEthereumChain()
  const client = useQueryClient()
  const navigate = useNavigate()
  async function remove() {
    await api.projects.remove({ params: { projectId: id } })
    await navigate(at())
    client.removeQueries({ queryKey: ['ethereum', 'project', chain, id] })
    await client.invalidateQueries({ queryKey: projectsOf(chain) })
  }
  return (
    <Panel title={texts.removal.title} text={texts.removal.text}>
      <Group>
        <ConfirmButton action={texts.removal.action} title={texts.removal.question(name)} word={name} onConfirm={remove}>
          <Text>{texts.removal.consequence}</Text>
        </ConfirmButton>
      </Group>
    </Panel>
  )
}
