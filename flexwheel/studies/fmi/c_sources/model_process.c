/* A Python process as the model of an instance: `python -P -m flexwheel.studies.fmi.process FOLDER` steps, this asks;
 * -P: nothing is imported from the working folder of the importer.
 *
 * A request is a letter, a count of bytes (4, of this machine's order) and so many bytes; the reply a byte of outcome,
 * a count and so many bytes. FLEXWHEEL_PYTHON names the interpreter where it is another than that of the export. */
#if !defined(_WIN32)
#define _POSIX_C_SOURCE 200809L
#define _DARWIN_C_SOURCE
#endif
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include "instance.h"

typedef struct channel channel;
static channel *channel_open(const char *python, const char *folder);
static int channel_send(channel *to, const void *bytes, size_t count);
static int channel_receive(channel *from, void *bytes, size_t count);
static void channel_close(channel *it);

typedef struct {
    progress now;
    channel *process;
    char *reply;
    uint32_t length;
} process_model;

#define MODEL(me) ((process_model *)(me)->model)

/* REFUSED, where no reply came: the one before, which may be numbers, is not taken for its words. */
static enum outcome lost(instance *me, const char *why)
{
    free(MODEL(me)->reply);
    MODEL(me)->reply = NULL;
    MODEL(me)->length = 0;
    instance_refuse(me, "the Python process of the unit has ended%s", why);
    return REFUSED;
}

/* Outcome of a request; the reply stands in the model, one byte behind it zero, or there is none. */
static enum outcome ask(instance *me, char letter, const void *bytes, size_t count)
{
    process_model *model = MODEL(me);
    const uint32_t size = (uint32_t)count;
    unsigned char outcome;
    char *grown;
    if (!model->process || (letter && !(channel_send(model->process, &letter, 1) && channel_send(model->process, &size, 4) &&
                                        channel_send(model->process, bytes, count))) ||
        !channel_receive(model->process, &outcome, 1) || !channel_receive(model->process, &model->length, 4) ||
        !(grown = realloc(model->reply, (size_t)model->length + 1)))
        return lost(me, " or cannot be started (FLEXWHEEL_PYTHON names the interpreter, in which flexwheel has to be "
                        "installed)");
    model->reply = grown;
    grown[model->length] = 0;
    if (!channel_receive(model->process, grown, model->length)) return lost(me, "");
    return outcome == 0 ? DONE : outcome == 1 ? PARTLY : REFUSED;
}

/* The same, where there is nothing between done and refused. */
static int asked(instance *me, char letter, const void *bytes, size_t count)
{
    if (ask(me, letter, bytes, count) == DONE) return 1;
    return MODEL(me)->reply ? instance_refuse(me, "%s", MODEL(me)->reply) : 0;
}

/* Place of a folder given as a path or as file:// with escapes; to be freed. */
static char *plain_path(const char *given)
{
    char *path = malloc(strlen(given) + 1), *to = path;
    if (!path) return NULL;
    if (!strncmp(given, "file:", 5)) {
        given += 5;
        if (!strncmp(given, "//", 2)) given = strchr(given + 2, '/') ? strchr(given + 2, '/') : given + 2;
#if defined(_WIN32)
        if (*given == '/') ++given;
#endif
        while (*given) {
            if (given[0] == '%' && given[1] && given[2]) {
                const char digits[3] = {given[1], given[2], 0};
                *to++ = (char)strtol(digits, NULL, 16);
                given += 3;
            } else {
                *to++ = *given++;
            }
        }
        *to = 0;
    } else {
        strcpy(path, given);
    }
    return path;
}

int model_make(instance *me, const char *resources)
{
    const char *python = getenv("FLEXWHEEL_PYTHON");
    process_model *model = calloc(1, sizeof *model);
    char *folder = plain_path(resources);
    if (model && folder) {
        me->model = model;
        me->now = &model->now;
        model->process = channel_open(python && *python ? python : PYTHON, folder);
    }
    free(folder);
    return model && asked(me, 0, NULL, 0);
}

void model_free(instance *me)
{
    if (!me->model) return;
    if (MODEL(me)->process) channel_close(MODEL(me)->process);
    free(MODEL(me)->reply);
    free(me->model);
}

int model_reset(instance *me) { return asked(me, 'r', NULL, 0); }
int model_begin(instance *me) { return asked(me, 'b', NULL, 0); }

int model_get(instance *me, const unsigned *references, size_t count, double *values)
{
    if (!asked(me, 'g', references, count * sizeof *references)) return 0;
    if (MODEL(me)->length != count * sizeof *values) return instance_refuse(me, "the Python process lost count");
    memcpy(values, MODEL(me)->reply, count * sizeof *values);
    return 1;
}

int model_set(instance *me, const unsigned *references, size_t count, const double *values)
{
    const size_t head = count * sizeof *references, size = head + count * sizeof *values;
    char *bytes = malloc(size);
    int good;
    if (!bytes) return instance_refuse(me, "no memory");
    memcpy(bytes, references, head);
    memcpy(bytes + head, values, size - head);
    good = asked(me, 's', bytes, size);
    free(bytes);
    return good;
}

const void *model_keep(instance *me, size_t *size)
{
    if (!asked(me, 'k', NULL, 0)) return NULL;
    *size = MODEL(me)->length;
    return MODEL(me)->reply;
}

int model_restore(instance *me, const void *bytes, size_t size) { return asked(me, 'p', bytes, size); }

enum outcome model_step(instance *me, long long count, long long *taken)
{
    const int64_t steps = count;
    int64_t done = 0;
    enum outcome outcome = ask(me, 'n', &steps, sizeof steps);
    if (outcome != REFUSED && MODEL(me)->length >= sizeof done) memcpy(&done, MODEL(me)->reply, sizeof done);
    *taken = done;
    if (outcome == PARTLY && MODEL(me)->length >= sizeof done)
        return instance_discard(me, "%s; the unit stands where it ended", MODEL(me)->reply + sizeof done);
    if (outcome == REFUSED && MODEL(me)->reply) instance_refuse(me, "%s", MODEL(me)->reply);
    return outcome;
}

#if defined(_WIN32)
#define WIN32_LEAN_AND_MEAN
#define NOUSER /* its INPUT is another */
#include <windows.h>
#include <stdio.h>

struct channel { HANDLE process, to, from; };

static channel *channel_open(const char *python, const char *folder)
{
    SECURITY_ATTRIBUTES inherited = {sizeof inherited, NULL, TRUE};
    PROCESS_INFORMATION started;
    STARTUPINFOA how;
    channel *it = calloc(1, sizeof *it);
    HANDLE theirs[2] = {NULL, NULL};
    char command[4096];
    int good;
    if (!it) return NULL;
    memset(&how, 0, sizeof how);
    good = CreatePipe(&theirs[0], &it->to, &inherited, 0) && CreatePipe(&it->from, &theirs[1], &inherited, 0) &&
           SetHandleInformation(it->to, HANDLE_FLAG_INHERIT, 0) &&
           SetHandleInformation(it->from, HANDLE_FLAG_INHERIT, 0) &&
           snprintf(command, sizeof command, "\"%s\" -P -m flexwheel.studies.fmi.process \"%s\"", python, folder) <
               (int)sizeof command;
    how.cb = sizeof how;
    how.dwFlags = STARTF_USESTDHANDLES;
    how.hStdInput = theirs[0];
    how.hStdOutput = theirs[1];
    how.hStdError = GetStdHandle(STD_ERROR_HANDLE);
    good = good && CreateProcessA(NULL, command, NULL, NULL, TRUE, CREATE_NO_WINDOW, NULL, NULL, &how, &started);
    if (theirs[0]) CloseHandle(theirs[0]);
    if (theirs[1]) CloseHandle(theirs[1]);
    if (good) {
        CloseHandle(started.hThread);
        it->process = started.hProcess;
        return it;
    }
    if (it->to) CloseHandle(it->to);
    if (it->from) CloseHandle(it->from);
    free(it);
    return NULL;
}

static int channel_send(channel *to, const void *bytes, size_t count)
{
    DWORD done;
    for (const char *at = bytes; count; at += done, count -= done)
        if (!WriteFile(to->to, at, (DWORD)count, &done, NULL)) return 0;
    return 1;
}

static int channel_receive(channel *from, void *bytes, size_t count)
{
    DWORD done;
    for (char *at = bytes; count; at += done, count -= done)
        if (!ReadFile(from->from, at, (DWORD)count, &done, NULL) || !done) return 0;
    return 1;
}

static void channel_close(channel *it)
{
    CloseHandle(it->to); /* at the end of its input the process ends */
    CloseHandle(it->from);
    WaitForSingleObject(it->process, 10000);
    CloseHandle(it->process);
    free(it);
}
#else
#include <errno.h>
#include <fcntl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>
#if !defined(MSG_NOSIGNAL)
#define MSG_NOSIGNAL 0
#endif

struct channel { int socket; pid_t process; };

static channel *channel_open(const char *python, const char *folder)
{
    char *const arguments[] = {(char *)python, "-P", "-m", "flexwheel.studies.fmi.process", (char *)folder, NULL};
    channel *it = calloc(1, sizeof *it);
    int ends[2];
    if (!it || socketpair(AF_UNIX, SOCK_STREAM, 0, ends)) { free(it); return NULL; }
    fcntl(ends[0], F_SETFD, FD_CLOEXEC); /* of other instances' processes */
#if defined(SO_NOSIGPIPE)
    setsockopt(ends[0], SOL_SOCKET, SO_NOSIGPIPE, &(int){1}, sizeof(int));
#endif
    it->socket = ends[0];
    it->process = fork();
    if (it->process == 0) {
        dup2(ends[1], 0);
        dup2(ends[1], 1);
        if (ends[1] > 1) close(ends[1]);
        execvp(python, arguments);
        _exit(127);
    }
    close(ends[1]);
    if (it->process > 0) return it;
    close(ends[0]);
    free(it);
    return NULL;
}

static int channel_send(channel *to, const void *bytes, size_t count)
{
    for (const char *at = bytes; count;) {
        const ssize_t done = send(to->socket, at, count, MSG_NOSIGNAL);
        if (done < 0 && errno == EINTR) continue;
        if (done <= 0) return 0;
        at += done;
        count -= (size_t)done;
    }
    return 1;
}

static int channel_receive(channel *from, void *bytes, size_t count)
{
    for (char *at = bytes; count;) {
        const ssize_t done = recv(from->socket, at, count, 0);
        if (done < 0 && errno == EINTR) continue;
        if (done <= 0) return 0;
        at += done;
        count -= (size_t)done;
    }
    return 1;
}

static void channel_close(channel *it)
{
    close(it->socket); /* at the end of its input the process ends */
    while (waitpid(it->process, NULL, 0) < 0 && errno == EINTR) {}
    free(it);
}
#endif
