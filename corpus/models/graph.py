"""Operators in execution order and what they access, for generate.

SPDX-License-Identifier: MIT
"""
from math import prod

BYTES = {"single": 4, "half": 2, "int32": 4, "byte": 1}
WEIGHT_SPLITS = 4  # partial sums of a convolution's weight gradient
NORM_SPLITS = 64   # partial sums of a layer norm's parameter gradients


class Item:
    """One allocation: its bytes, and when they are accessed."""

    def __init__(self, name, size, cls, kind):
        self.name, self.size, self.cls, self.kind = name, size, cls, kind
        self.current, self.steps, self.was_read = None, [], False


class Value:
    """One version of a tensor; an in-place result is a new one on its item."""

    def __init__(self, name, shape, cls, item):
        self.name, self.shape, self.cls, self.item = name, shape, cls, item
        self.grad = None      # the Value that holds its gradient
        self.parts = 0        # gradient buffers made for it so far
        self.shared = False   # a gradient that two Values hold
        self.wanted = True    # whether a gradient is wanted


class Graph:
    """Operators in execution order, and what they access.

    Kinds of items: "work" has a life; "input", "state" and "output" are
    always live; "constant" (weights in inference) is not planned.
    """

    def __init__(self, training, cls="single", clip=False):
        self.training, self.cls, self.clip = training, cls, clip
        self.items, self.tape, self.pending = {}, [], []
        self.steps = self.parameters = self.macs = 0

    def tensor(self, name, shape, cls=None, kind="work"):
        cls = cls or self.cls
        assert name not in self.items, f"two items are called {name}"
        item = Item(name, prod(shape) * BYTES[cls], cls, kind)
        self.items[name] = item
        value = Value(name, shape, cls, item)
        if kind != "work":
            item.current = value
        return value

    def input(self, name, shape, cls=None, wanted=False):
        value = self.tensor(name, shape, cls, "input")
        value.wanted, value.shared = wanted, True
        return value

    def output(self, *values):
        for value in values:
            value.item.kind = "output"

    def over(self, value, name=None):
        """The result of an operator that overwrites `value` in place."""
        assert value.item.kind != "input", f"{value.name} is read-only"
        return Value(name or value.name, value.shape, value.cls, value.item)

    def op(self, reads, writes, scratch=()):
        """One step. A read of an overwritten or unwritten value is a bug."""
        for value in reads:
            assert value.item.current is value, f"{value.name} is gone"
        for value in (*writes, *scratch):
            value.item.current = value
            value.item.steps.append(self.steps)
        for value in (*reads, *scratch):
            value.item.steps.append(self.steps)
            value.item.was_read = True
        self.steps += 1

    # Parameters: SGD with momentum, at once or, with clip, after all gradients

    def params(self, name, **shapes):
        self.parameters += sum(map(prod, shapes.values()))
        kind = "state" if self.training else "constant"
        weights = [self.tensor(f"{name}.{part}", shape, "single", kind)
                   for part, shape in shapes.items()]
        for w in weights if self.training else ():
            w.momentum = self.tensor(f"m({w.name})", w.shape, "single", kind)
        return weights

    def cast(self, *weights):
        """The copies in the class of the activations, where they differ."""
        if not self.training or self.cls == "single":
            return weights
        copies = [self.tensor(f"{w.name}.{self.cls}", w.shape)
                  for w in weights]
        self.op(weights, copies)
        return copies

    def grads(self, *weights, cls=None):
        return [self.tensor(f"d({w.name})", w.shape, cls) for w in weights]

    def learn(self, weights, grads):
        self.pending += zip(weights, grads)
        if not self.clip:
            self.update()

    def update(self, *norm):
        for weight, grad in self.pending:
            state = [weight, weight.momentum]
            self.op([*state, grad, *norm], map(self.over, state))
        self.pending = []

    # Backward

    def backward(self, function):
        if self.training:
            self.tape.append(function)

    def contribute(self, x, reads, also=(), scratch=()):
        """Writes one operator's part of d(x), and adds the earlier parts."""
        if not x.wanted:
            return
        x.parts += 1
        suffix = f".{x.parts}" if x.parts > 1 else ""
        part = self.tensor(f"d({x.name}){suffix}", x.shape, x.cls)
        self.op(reads, [part, *also], scratch)
        if x.grad:
            total = self.over(part)
            self.op([x.grad, part], [total])
            part = total
        x.grad = part

    def contribute_map(self, x, dy, reads):
        """Like contribute for an elementwise operator: over dy if it may."""
        if x.grad or dy.shared:
            self.contribute(x, [dy, *reads])
        else:
            x.grad = self.over(dy)
            self.op([dy, *reads], [x.grad])

    def finish(self):
        for function in reversed(self.tape):
            function()
        if self.pending:
            norm = self.tensor("gradient.norm", (1,), "single")
            self.op([grad for _, grad in self.pending], [norm])
            self.update(norm)

    # Operators. Those of convolutional networks take (batch, channels, h, w).

    def apply(self, name, reads, shape, parts, extra=()):
        """A new tensor. `parts`: each input that gets a gradient, with what
        its gradient is computed from besides the result's."""
        out = self.tensor(name, shape)
        self.op(reads, [out, *extra])

        def back():
            for x, saved in parts:
                self.contribute(x, [out.grad, *saved])
        self.backward(back)
        return out

    def weighted(self, name, x, weights, shape, splits=0):
        """d(x) first: d(weights) may be followed at once by their update."""
        used = self.cast(*weights)

        def back():
            grads = self.grads(*weights)
            scratch = self.partial(name, splits, *weights[0].shape)
            self.op([x, out.grad], grads, scratch)
            self.learn(weights, grads)
        self.backward(back)
        out = self.apply(f"{name}.out", [x, *used], shape, [(x, used[:1])])
        return out

    def partial(self, name, splits, *shape):
        """The workspace of a sum that is made in `splits` parts, if any."""
        return [self.tensor(f"{name}.partial", (splits, *shape), "single")
                for _ in range(splits > 0)]

    def linear(self, name, x, wide):
        weights = self.params(name, w=(wide, x.shape[-1]), b=(wide,))
        shape = (*x.shape[:-1], wide)
        self.macs += prod(shape) * x.shape[-1]
        return self.weighted(name, x, weights, shape)

    def window(self, x, wide, size, stride, pad):
        return (x.shape[0], wide, *((side + 2 * pad - size) // stride + 1
                                    for side in x.shape[2:]))

    def conv(self, name, x, wide, size, stride=1, pad=0, groups=1, bias=False):
        kernel = (wide, x.shape[1] // groups, size, size)
        weights = self.params(name, w=kernel, **{"b": (wide,)} if bias else {})
        shape = self.window(x, wide, size, stride, pad)
        self.macs += prod(shape) * prod(kernel[1:])
        return self.weighted(name, x, weights, shape, WEIGHT_SPLITS)

    def up_conv(self, name, x, wide):
        """Transposed convolution, 2 by 2, stride 2."""
        batch, deep, high, across = x.shape
        weights = self.params(name, w=(deep, wide, 2, 2), b=(wide,))
        shape = (batch, wide, 2 * high, 2 * across)
        return self.weighted(name, x, weights, shape, WEIGHT_SPLITS)

    def norm(self, name, x, wide, rows, running=(), splits=0):
        weights = self.params(name, gamma=(wide,), beta=(wide,))
        saved = [self.tensor(f"{name}.{part}", rows, "single")
                 for part in ("mean", "rstd") if self.training]

        def back():
            grads = self.grads(*weights, cls="single")
            self.contribute(x, [out.grad, x, weights[0], *saved], grads,
                            self.partial(name, splits, 2, wide))
            self.learn(weights, grads)
        self.backward(back)
        out = self.apply(f"{name}.out", [x, *weights, *running], x.shape, [],
                         [*saved, *map(self.over, running)])
        return out

    def layer_norm(self, name, x):
        return self.norm(name, x, x.shape[-1], x.shape[:-1], (), NORM_SPLITS)

    def batch_norm(self, name, x):
        """In inference it is folded into the convolution before it."""
        wide = x.shape[1]
        if not self.training:
            self.parameters += 2 * wide
            return x
        running = [self.tensor(f"{name}.running_{part}", (wide,), kind="state")
                   for part in ("mean", "var")]
        return self.norm(name, x, wide, (wide,), running)

    def max_pool(self, name, x, size, stride, pad=0):
        shape = self.window(x, x.shape[1], size, stride, pad)
        argmax = self.tensor(f"{name}.argmax", shape, "int32")
        return self.apply(f"{name}.out", [x], shape, [(x, [argmax])], [argmax])

    def matmul(self, name, a, b, shape):
        return self.apply(name, [a, b], shape, [(a, [b]), (b, [a])])

    def copy(self, name, x, shape):
        """A reordered, cropped or reduced copy of x, of another shape."""
        return self.apply(name, [x], shape, [(x, [])])

    def add(self, name, branch, x):
        """branch + x, over branch; both gradients are the sum's."""
        out = self.over(branch, name)
        self.op([branch, x], [out])

        def back():
            assert not branch.grad and not x.grad
            out.grad.shared = True
            branch.grad = x.grad = out.grad
        self.backward(back)
        return out

    def masked(self, name, x, in_place=True):
        """ReLU, ReLU6 or dropout: training keeps a byte for each element."""
        out = self.over(x, name) if in_place else self.tensor(name, x.shape)
        masks = [self.tensor(f"{name}.mask", x.shape, "byte")
                 for _ in range(self.training)]
        self.op([x], [out, *masks])
        self.backward(lambda: self.contribute_map(x, out.grad, masks))
        return out

    def dropout(self, name, x, in_place=True):
        return self.masked(name, x, in_place) if self.training else x

    def pointwise(self, name, x, reads=(), keeps_input=False):
        """Softmax and tanh need their output backward, GELU its input."""
        in_place = not (keeps_input and self.training)
        out = self.over(x, name) if in_place else self.tensor(name, x.shape)
        self.op([x, *reads], [out])
        saved = x if keeps_input else out
        self.backward(lambda: self.contribute_map(x, out.grad, [saved]))
        return out

    def classify(self, logits, target):
        """Softmax and cross entropy; d(logits) goes over the softmax."""
        if not self.training:
            return self.output(logits)
        softmax = self.tensor("softmax", logits.shape)
        loss = self.tensor("loss", (1,), kind="output")
        self.op([logits, *target], [softmax, loss])

        def back():
            logits.grad = self.over(softmax)
            self.op([softmax, *target], [logits.grad])
        return self.backward(back)
